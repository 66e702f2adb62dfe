import { useState } from "react";
import { mayOnPost } from "../../../shell/may-on-post.ts";
import { useActorNames } from "../../../shell/use-actor-names.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { useEditorPage } from "../editor-context.tsx";
import type { PostActions } from "../use-post-actions.ts";
import { HeldChangeDialog } from "./held-change-dialog.tsx";

/** A connected tool changed a published post, and the website wants a person to look first: accept it, or turn it down. */
export function HeldChange({ actions }: { actions: PostActions }) {
  const { post, context } = useEditorPage();
  const [isOpen, setOpen] = useState(false);
  const nameOf = useActorNames(post.review ? [post.review.requestedBy] : []);
  if (!post.review) return null;
  const mayDecide = mayOnPost(context, "post.publish", post);
  return (
    <Notice
      tone="info"
      title={
        <>
          {nameOf(post.review.requestedBy)} suggests a change to this published post, <TimeAgo at={post.review.requestedAt} />
        </>
      }
      action={
        <span className="flex flex-wrap gap-2">
          <Button size="sm" onClick={() => setOpen(true)}>
            View change
          </Button>
          {mayDecide && (
            <>
              <Button size="sm" busy={actions.busy === "discard"} onClick={actions.discard}>
                Reject
              </Button>
              <Button size="sm" variant="primary" busy={actions.busy === "update"} onClick={actions.accept}>
                Accept
              </Button>
            </>
          )}
        </span>
      }
    >
      Readers see the live version until someone accepts the change.
      {isOpen && <HeldChangeDialog actions={actions} mayDecide={mayDecide} onClose={() => setOpen(false)} />}
    </Notice>
  );
}
