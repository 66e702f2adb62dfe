import { Link } from "@tanstack/react-router";
import { formatNumber } from "../../lib/format.ts";
import { useOpenSuggestions } from "../../shell/suggestions/use-open-suggestions.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";

/** Connected apps wait for an answer. */
export function WaitingSuggestions() {
  const { website } = useWebsiteContext();
  const waiting = useOpenSuggestions();
  if (waiting === 0) return null;
  return (
    <Notice
      tone="info"
      title={waiting === 1 ? "1 suggestion waits for you" : `${formatNumber(waiting)} suggestions wait for you`}
      action={
        <Link to="/s/$websiteId/suggestions" params={{ websiteId: website.id }} className={buttonClass({ size: "sm" })}>
          View suggestions
        </Link>
      }
    >
      Connected apps suggest changes to content that readers see.
    </Notice>
  );
}
