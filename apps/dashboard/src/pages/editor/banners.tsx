import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { formatDateTime } from "../../lib/time.ts";
import { useEditorPage } from "./editor-context.tsx";
import { usePeople } from "../posts/use-people.ts";
import { HeldChange } from "./review/held-change.tsx";
import { mayOn } from "../posts/may-on.ts";
import type { PostActions } from "./use-post-actions.ts";

/** What must be known before one begins to write: read only, asked for review, scheduled, not saved. */
export function Banners({ actions, onCompare }: { actions: PostActions; onCompare: () => void }) {
  const { post, readOnly, place, save, settings } = useEditorPage();
  const nameOf = usePeople(post.review ? [post.review.requestedBy] : []);
  const { timeZone } = settings.settings;
  const isHeld = post.review?.requestedBy.type === "tool" && post.status === "published" && post.hasUnpublishedChanges;
  return (
    <div className="mx-auto flex w-full max-w-[46rem] flex-col gap-2 px-4 empty:hidden sm:px-6">
      {readOnly && <Notice tone="warn">{readOnly}</Notice>}
      {save.phase === "stopped" && (
        <Notice
          tone="danger"
          title="Not saved"
          action={
            save.code === "NOT_SIGNED_IN" && (
              <a className="font-medium text-accent underline" href="/sign-in" target="_blank" rel="noreferrer">
                Sign in, in a new tab
              </a>
            )
          }
        >
          {save.message} What you wrote is kept in this browser.
        </Notice>
      )}
      {save.phase === "conflict" && (
        <Notice
          tone="danger"
          title="Saving has stopped: there are two versions"
          action={
            <Button size="sm" onClick={onCompare}>
              Compare and decide
            </Button>
          }
        >
          The same text was changed elsewhere. Yours is kept in this browser.
        </Notice>
      )}
      {post.status === "scheduled" && post.scheduledAt && (
        <Notice tone="info">
          Publishes itself on {formatDateTime(post.scheduledAt, timeZone)} ({timeZone}), as the text is then.
        </Notice>
      )}
      {isHeld && <HeldChange actions={actions} />}
      {post.review && !isHeld && (
        <Notice
          tone="info"
          title={
            <>
              {nameOf(post.review.requestedBy)} asked for review <TimeAgo at={post.review.requestedAt} />
            </>
          }
          action={
            mayOn(place, "post.review", post) && (
              <Button size="sm" busy={actions.busy === "endReview"} onClick={actions.endReview}>
                {mayOn(place, "post.publish", post) ? "End without publishing" : "Take back"}
              </Button>
            )
          }
        >
          {post.review.note && <p className="whitespace-pre-wrap break-words">{post.review.note}</p>}
        </Notice>
      )}
    </div>
  );
}
