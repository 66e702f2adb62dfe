import { useQuery } from "@tanstack/react-query";
import { useSession } from "../api/session.ts";
import { type UnsentChanges, listUnsent } from "../autosave/list-unsent.ts";
import { openTabs } from "../autosave/open-tabs.ts";

const LOOK_EVERY_MILLIS = 2_000;
/** A tab that was closed a moment ago may still be saving. */
const SETTLED_AFTER_MILLIS = 4_000;

/** Changes that were typed in tabs which are closed now, and never reached the server; newest first. Opening the post saves them. */
export function useUnsent(): readonly UnsentChanges[] {
  const userId = useSession().user.id;
  const { data = [] } = useQuery({
    queryKey: ["unsent", userId],
    queryFn: async () => {
      const tabs = await openTabs();
      return listUnsent(localStorage, userId).filter(
        ({ tabId, at }) => !tabs.has(tabId) && Date.now() - Date.parse(at) > SETTLED_AFTER_MILLIS,
      );
    },
    refetchInterval: LOOK_EVERY_MILLIS,
  });
  return data;
}
