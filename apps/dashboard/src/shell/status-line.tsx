import { useIsMutating, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CloudOff } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import type { UnsentChanges } from "../autosave/list-unsent.ts";
import { plural } from "../lib/format.ts";
import { Spinner } from "../ui/spinner.tsx";
import { useUnsent } from "./use-unsent.ts";

const SAVED_MILLIS = 3_000;

export function useOnline(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener("online", listener);
      window.addEventListener("offline", listener);
      return () => {
        window.removeEventListener("online", listener);
        window.removeEventListener("offline", listener);
      };
    },
    () => navigator.onLine,
  );
}

/** One quiet line that says whether changes have reached the server, and links to posts with unsent changes. */
export function StatusLine() {
  const saving = useIsMutating() > 0;
  const unsent = useUnsent();
  const online = useOnline();
  const saved = useJustSaved();
  return (
    <p role="status" className="flex h-5 items-center gap-2 px-2.5 text-xs text-muted">
      {!online ? (
        <>
          <CloudOff aria-hidden className="size-3.5 text-warn" /> Offline: your text is kept in this browser
        </>
      ) : saving ? (
        <>
          <Spinner className="size-3.5" /> Saving …
        </>
      ) : saved ? (
        "Saved"
      ) : (
        <UnsentLink unsent={unsent} />
      )}
    </p>
  );
}

/** True for a moment after a change has reached the server. A refusal is shown where the change was made. */
function useJustSaved(): boolean {
  const mutations = useQueryClient().getMutationCache();
  const [savedAt, setSavedAt] = useState<number | null>(null);
  useEffect(
    () =>
      mutations.subscribe((event) => {
        if (event.type !== "updated") return;
        if (event.action.type === "success") setSavedAt(Date.now());
        if (event.action.type === "error") setSavedAt(null);
      }),
    [mutations],
  );
  useEffect(() => {
    if (savedAt === null) return;
    const timer = setTimeout(() => setSavedAt(null), SAVED_MILLIS);
    return () => clearTimeout(timer);
  }, [savedAt]);
  return savedAt !== null;
}

function UnsentLink({ unsent }: { unsent: readonly UnsentChanges[] }) {
  const posts = new Set(unsent.map(({ postId }) => postId)).size;
  const newest = unsent.find(({ websiteId }) => websiteId !== undefined);
  if (newest?.websiteId === undefined) return null;
  return (
    <Link
      to="/s/$websiteId/posts/$postId"
      params={{ websiteId: newest.websiteId, postId: newest.postId }}
      className="flex items-center gap-2 rounded-control text-text hover:underline"
    >
      <CloudOff aria-hidden className="size-3.5 text-warn" /> {plural(posts, "post")} not saved: open to save
    </Link>
  );
}
