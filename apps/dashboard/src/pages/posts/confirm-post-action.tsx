import type { ListedPost } from "../../api/answers.ts";
import { plural } from "../../lib/format.ts";
import { mayOnPost } from "../../shell/may-on-post.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { POST_ACTIONS, type PostActionName } from "./post-actions.ts";

export interface PostActionRequest {
  readonly name: PostActionName;
  readonly posts: readonly ListedPost[];
}

/** Where the name of the action does not stand before what it is done to. */
const QUESTIONS: Partial<Record<PostActionName, (posts: string) => string>> = {
  update: (posts) => `Publish the changes of ${posts}?`,
  trash: (posts) => `Move ${posts} to the trash?`,
  purge: (posts) => `Permanently delete ${posts}?`,
};

/** Asks before an action that cannot be undone, and before one on posts that are not shown. */
export function ConfirmPostAction({
  request,
  onClose,
  onConfirm,
}: {
  request: PostActionRequest | null;
  onClose: () => void;
  onConfirm: (request: PostActionRequest) => void;
}) {
  const context = useWebsiteContext();
  if (!request) return null;
  const { name } = request;
  const { appliesTo, permission, label } = POST_ACTIONS[name];
  const posts = request.posts.filter((post) => appliesTo(post) && mayOnPost(context, permission, post));
  const count = plural(posts.length, "post");
  const isFinal = name === "purge";
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={QUESTIONS[name]?.(count) ?? `${label} ${count}?`}
      action={label}
      danger={isFinal || name === "trash"}
      // The dialog closes right away: the bar shows the progress, and failures are listed after it.
      onConfirm={async () => onConfirm(request)}
    >
      {isFinal ? (
        <>
          {posts.length === 1 ? "Its history is deleted too, and its address" : "Their history is deleted too, and their addresses"} can be
          used by other posts. This cannot be undone.
        </>
      ) : (
        "Not all of them are shown here. You can stop at any time and then see what was skipped."
      )}
    </ConfirmDialog>
  );
}
