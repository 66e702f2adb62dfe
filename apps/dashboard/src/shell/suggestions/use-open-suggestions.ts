import { useOp } from "../../api/hooks.ts";
import { useWebsiteContext } from "../website-context.ts";

/** How many suggestions wait. 0 for people who decide only about their own posts: others' are not theirs to count. */
export function useOpenSuggestions(): number {
  const { website, reach } = useWebsiteContext();
  const count = useOp("count_suggestions", { websiteId: website.id }, { enabled: reach("suggestion.decide") === "any" });
  return count.data?.open ?? 0;
}
