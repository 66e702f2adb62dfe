import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import { type UnsentChanges, unsentAsText } from "../autosave/list-unsent.ts";
import { plural } from "../lib/format.ts";
import { saveFile } from "../lib/save-file.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { TimeAgo } from "../ui/time-ago.tsx";
import { signOutNow, type PendingSignOut, pendingSignOut } from "./sign-out.ts";

/** Is part of every page from which a person can sign out, and asks only when unsent changes would be lost. */
export function SignOutDialog() {
  const pending = useSyncExternalStore(pendingSignOut.subscribe, pendingSignOut.get);
  return pending && <Question {...pending} />;
}

function Question({ userId, next, unsent }: PendingSignOut) {
  const [busy, setBusy] = useState(false);
  const discard = async () => {
    setBusy(true);
    await signOutNow(userId, next);
    setBusy(false);
  };
  return (
    <Dialog
      open
      onOpenChange={pendingSignOut.cancel}
      title="Unsaved changes"
      description="These changes are only in this browser. Signing out deletes them."
      footer={
        <>
          <Button variant="danger-outline" busy={busy} onClick={() => void discard()}>
            Discard and sign out
          </Button>
          <Button variant="primary" onClick={pendingSignOut.cancel}>
            Stay signed in
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4 text-sm">
        <ul aria-label="Not saved" className="divide-y divide-line rounded-control border border-line">
          {unsent.map((text) => (
            <UnsentRow key={`${text.postId} ${text.at}`} text={text} />
          ))}
        </ul>
        <p className="text-muted">Open a post to save it once the server is reachable, or save your text as a file.</p>
        <Button className="self-start" onClick={() => saveFile("stet-not-saved.md", unsentAsText(unsent), "text/markdown")}>
          <Download aria-hidden />
          Save {plural(unsent.length, "text")} as a file
        </Button>
      </div>
    </Dialog>
  );
}

function UnsentRow({ text: { patch, at, postId, websiteId } }: { text: UnsentChanges }) {
  const title = patch.title || "A post";
  return (
    <li className="flex flex-wrap items-baseline gap-x-2 px-3 py-2">
      {websiteId === undefined ? (
        <span className="font-medium wrap-anywhere">{title}</span>
      ) : (
        <Link
          to="/s/$websiteId/posts/$postId"
          params={{ websiteId, postId }}
          className="font-medium wrap-anywhere underline underline-offset-3"
          onClick={pendingSignOut.cancel}
        >
          {title}
        </Link>
      )}
      <span className="text-muted">
        typed <TimeAgo at={at} />
      </span>
    </li>
  );
}
