import { CalendarClock, ChevronDown, Copy, EyeOff, Trash2, Undo2 } from "lucide-react";
import { cn } from "../../../lib/cn.ts";
import { mayOnPost } from "../../../shell/may-on-post.ts";
import { Button } from "../../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../../ui/menu.tsx";
import { useEditorPage } from "../editor-context.tsx";
import type { PostActions } from "../use-post-actions.ts";

/** The one button that matters, by state and role, and the rest behind its arrow. */
export function PublishButton({
  actions,
  onPublish,
  onDelete,
}: {
  actions: PostActions;
  onPublish: (as?: "publish" | "schedule") => void;
  onDelete: () => void;
}) {
  const { post, context, save } = useEditorPage();
  const mayPublish = mayOnPost(context, "post.publish", post);
  const mayDelete = mayOnPost(context, "post.delete", post);
  const mayReview = mayOnPost(context, "post.review", post);
  if (post.status === "deleted") {
    if (!mayOnPost(context, "post.restore", post)) return null;
    return (
      <Button variant="primary" busy={actions.busy === "restore"} onClick={actions.restore}>
        <Undo2 aria-hidden />
        Restore
      </Button>
    );
  }
  const isLive = post.status === "published";
  const nothingNew = isLive && !post.hasUnpublishedChanges && save.phase === "saved";
  const isAsked = !mayPublish && post.review !== null;
  const forReview = isAsked ? "Review requested" : "Request review";
  const main = mayPublish ? (isLive ? "Publish changes" : post.status === "scheduled" ? "Reschedule" : "Publish") : forReview;
  const hasMain = mayPublish || mayReview;
  return (
    <div className="flex shrink-0">
      {hasMain && (
        <Button variant="primary" className="rounded-r-none pr-3" disabled={nothingNew || isAsked} onClick={() => onPublish()}>
          {main}
        </Button>
      )}
      <Menu
        trigger={
          <Button
            variant={hasMain ? "primary" : "outline"}
            aria-label="Post actions"
            className={cn("px-2", hasMain && "rounded-l-none border-l border-bg/30")}
          >
            <ChevronDown aria-hidden />
          </Button>
        }
      >
        {mayPublish && !isLive && (
          <MenuItem onSelect={() => onPublish("schedule")}>
            <CalendarClock aria-hidden />
            {post.status === "scheduled" ? "Reschedule …" : "Schedule …"}
          </MenuItem>
        )}
        {mayPublish && (isLive || post.status === "scheduled") && (
          <MenuItem onSelect={actions.unpublish}>
            <EyeOff aria-hidden />
            {isLive ? "Unpublish" : "Unschedule"}
          </MenuItem>
        )}
        {context.may("post.create") && (
          <MenuItem onSelect={actions.duplicate}>
            <Copy aria-hidden />
            Duplicate
          </MenuItem>
        )}
        {mayDelete && (
          <>
            <MenuSeparator />
            <MenuItem danger onSelect={onDelete}>
              <Trash2 aria-hidden />
              Move to trash …
            </MenuItem>
          </>
        )}
      </Menu>
    </div>
  );
}
