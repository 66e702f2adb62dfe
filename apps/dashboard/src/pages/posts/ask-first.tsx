import type { ListedPost } from "../../api/answers.ts";
import { plural } from "../../lib/format.ts";
import { mayOn } from "../../shell/may-on-post.ts";
import { usePlace } from "../../shell/place.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { POST_ACTIONS, type PostActionName } from "./post-actions.ts";

export interface Asked {
  readonly name: PostActionName;
  readonly posts: readonly ListedPost[];
}

/** Before what cannot be undone, and before what is done to posts that nobody sees here. */
export function AskFirst({ asked, onClose, onConfirm }: { asked: Asked | null; onClose: () => void; onConfirm: (asked: Asked) => void }) {
  const place = usePlace();
  if (!asked) return null;
  const { name } = asked;
  const { appliesTo, permission, label } = POST_ACTIONS[name];
  const posts = asked.posts.filter((post) => appliesTo(post) && mayOn(place, permission, post));
  const count = plural(posts.length, "post");
  const isFinal = name === "purge";
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={isFinal ? `Permanently delete ${count}?` : `${label}: ${count}?`}
      action={label}
      danger={isFinal || name === "trash"}
      // Closed at once: how far it is stands in the bar, and what did not work is listed.
      onConfirm={async () => onConfirm(asked)}
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
