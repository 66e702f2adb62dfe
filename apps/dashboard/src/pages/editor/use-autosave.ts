import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";
import type { AutosaveSnapshot } from "../../autosave/autosave-types.ts";
import { type OpenAutosave, openAutosave } from "../../autosave/open-autosave.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { loadBodyEditor } from "./body/load-body-editor.ts";
import { readOnlyReason } from "./read-only-reason.ts";
import { STALE_AFTER_ACTIONS } from "./stale-after-actions.ts";

export type Opening =
  | { readonly state: "opening" }
  | { readonly state: "failed"; readonly error: unknown }
  | { readonly state: "open"; readonly autosave: OpenAutosave };

/** Opens autosave for the post that the page shows, and closes it when the page shows another or none. */
export function useAutosave(postId: string): { opening: Opening; again: () => void } {
  const context = useWebsiteContext();
  const client = useQueryClient();
  const [attempt, setAttempt] = useState(0);
  const [opening, setOpening] = useState<Opening>({ state: "opening" });
  const websiteId = context.website.id;
  const userId = context.session.user.id;
  useEffect(() => {
    let gone = false;
    let autosave: OpenAutosave | null = null;
    const opened = openAutosave({ websiteId, postId, userId, mayEdit: (post) => readOnlyReason(context, post) === null });
    Promise.all([opened, loadBodyEditor()]).then(
      ([ready]) => !gone && setOpening({ state: "open", autosave: ready }),
      (error: unknown) => !gone && setOpening({ state: "failed", error }),
    );
    opened.then(
      (ready) => {
        autosave = ready;
        if (gone) void ready.close();
      },
      () => {},
    );
    return () => {
      gone = true;
      setOpening({ state: "opening" });
      // The lists of posts show the saved text.
      void autosave?.close().then(() => STALE_AFTER_ACTIONS.forEach((name) => void client.invalidateQueries({ queryKey: [name] })));
    };
    // A change of role elsewhere must not close the post while someone types.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [websiteId, postId, userId, attempt]);
  return { opening, again: () => setAttempt((count) => count + 1) };
}

export const useSnapshot = (autosave: OpenAutosave): AutosaveSnapshot => useSyncExternalStore(autosave.subscribe, autosave.snapshot);
