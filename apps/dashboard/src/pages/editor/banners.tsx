import { formatDateTime } from "../../lib/time.ts";
import { mayOnPost } from "../../shell/may-on-post.ts";
import { useActorNames } from "../../shell/use-actor-names.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { useEditorPage } from "./editor-context.tsx";
import { SuggestionBanners } from "./suggestions/suggestion-banners.tsx";
import type { PostActions } from "./use-post-actions.ts";

/** Notices that a writer needs before writing: read only, review requested, changes suggested, scheduled, not saved. */
export function Banners({ actions, onCompare }: { actions: PostActions; onCompare: () => void }) {
  const { post, readOnly, context, save, settings, keptHere } = useEditorPage();
  const nameOf = useActorNames(post.review ? [post.review.requestedBy] : []);
  const { timeZone } = settings.settings;
  const kept = (what: string) => (keptHere ? `${what} is kept in this browser.` : "This browser could not store it: keep the page open.");
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
                Sign in (new tab)
              </a>
            )
          }
        >
          {save.message} {kept("Your text")}
        </Notice>
      )}
      {save.phase === "conflict" && (
        <Notice
          tone="danger"
          title="Saving is paused: there are two versions"
          action={
            <Button size="sm" onClick={onCompare}>
              Compare versions
            </Button>
          }
        >
          Someone changed the same text. {kept("Your version")}
        </Notice>
      )}
      {post.status === "scheduled" && post.scheduledAt && (
        <Notice tone="info">
          Will publish the latest version on {formatDateTime(post.scheduledAt, timeZone)} ({timeZone}).
        </Notice>
      )}
      <SuggestionBanners />
      {post.review && (
        <Notice
          tone="info"
          title={
            <>
              {nameOf(post.review.requestedBy)} requested a review <TimeAgo at={post.review.requestedAt} />
            </>
          }
          action={
            mayOnPost(context, "post.review", post) && (
              <Button size="sm" busy={actions.busy === "endReview"} onClick={actions.endReview}>
                {mayOnPost(context, "post.publish", post) ? "Close request" : "Withdraw request"}
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
