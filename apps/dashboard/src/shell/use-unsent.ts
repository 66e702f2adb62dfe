import { useQuery } from "@tanstack/react-query";
import { useSession } from "../api/session.ts";
import { type UnsentText, unsentOf } from "../autosave/list-unsent.ts";
import { livingDesks } from "../autosave/open-tabs.ts";

const LOOK_EVERY_MILLIS = 2_000;
/** A page that was left a moment ago may still be saving. */
const SETTLED_AFTER_MILLIS = 4_000;

/** What was typed on pages that are closed now and never reached the server, newest first. Opening the post saves it. */
export function useUnsent(): readonly UnsentText[] {
  const userId = useSession().user.id;
  const { data = [] } = useQuery({
    queryKey: ["unsent", userId],
    queryFn: async () => {
      const living = await livingDesks();
      return unsentOf(localStorage, userId).filter(
        ({ deskId, at }) => !living.has(deskId) && Date.now() - Date.parse(at) > SETTLED_AFTER_MILLIS,
      );
    },
    refetchInterval: LOOK_EVERY_MILLIS,
  });
  return data;
}
