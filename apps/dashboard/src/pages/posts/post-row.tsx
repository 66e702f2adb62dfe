import { Link } from "@tanstack/react-router";
import { Bot, Star } from "lucide-react";
import { memo } from "react";
import type { ListedPost } from "../../api/answers.ts";
import { cn } from "../../lib/cn.ts";
import { formatCompact, formatNumber } from "../../lib/format.ts";
import { formatDate, formatDateTime } from "../../lib/time.ts";
import { titleOf } from "../../lib/title-of.ts";
import { Badge, StatusBadge } from "../../ui/badge.tsx";
import { Checkbox } from "../../ui/inputs.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import type { PostActionName } from "./post-actions.ts";
import { RowMenu } from "./row-menu.tsx";

/** The columns of the table; on a phone each row is a card. */
export const COLUMNS = "md:grid-cols-[1.25rem_minmax(0,1fr)_9.5rem_4.5rem_9rem_2rem] md:gap-x-4";

interface PostRowProps {
  readonly post: ListedPost;
  /** The names of its authors and categories. */
  readonly byline: string;
  readonly editedBy: string;
  /** The name of the person who requested review, if one did. */
  readonly askedBy: string | undefined;
  /** Undefined while they are on their way. */
  readonly views: number | undefined;
  readonly timeZone: string | undefined;
  readonly isChosen: boolean;
  readonly onToggle: (postId: string, extend: boolean) => void;
  readonly onAct: (action: PostActionName, posts: readonly ListedPost[]) => void;
}

/** Drawn anew only when something of it changes: ticking one of hundreds must not take longer than ticking one of ten. */
export const PostRow = memo(function PostRow({
  post,
  byline,
  editedBy,
  askedBy,
  views,
  timeZone,
  isChosen,
  onToggle,
  onAct,
}: PostRowProps) {
  const title = titleOf(post);
  const { working } = post;
  return (
    <div
      role="row"
      data-post={post.id}
      aria-selected={isChosen}
      className={cn(
        "grid grid-cols-[1.25rem_minmax(0,1fr)_2rem] items-center gap-x-3 gap-y-1 px-4 py-3 focus-within:bg-hover/60 hover:bg-hover/60",
        COLUMNS,
        isChosen && "bg-accent-soft/60! hover:bg-accent-soft!",
      )}
    >
      <div role="cell" className="flex self-start pt-1 md:self-center md:pt-0">
        <Checkbox
          aria-label={`Select ${title}`}
          checked={isChosen}
          onClick={(event) => {
            event.preventDefault();
            onToggle(post.id, event.shiftKey);
          }}
        />
      </div>
      <div role="cell" className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <Link
            to="/s/$websiteId/posts/$postId"
            params={{ websiteId: post.websiteId, postId: post.id }}
            data-open
            dir="auto"
            className={cn(
              "line-clamp-2 max-w-full rounded-sm font-medium break-words hover:underline",
              !working.title.trim() && "text-muted italic",
            )}
          >
            {title}
          </Link>
          {working.featured && (
            <span className="text-warn" title="Featured">
              <Star aria-hidden className="size-3.5 fill-current" />
              <span className="sr-only">Featured</span>
            </span>
          )}
          {post.hasUnpublishedChanges && <Badge tone="accent">Unpublished changes</Badge>}
          {post.review && <Badge tone="info">Waiting for review</Badge>}
        </div>
        {post.review && (
          <p className="mt-0.5 text-[0.8125rem] text-muted">
            {askedBy} requested a review <TimeAgo at={post.review.requestedAt} />
            {post.review.note && <span className="line-clamp-2 break-words">“{post.review.note}”</span>}
          </p>
        )}
        {byline && <p className="mt-0.5 truncate text-[0.8125rem] text-muted">{byline}</p>}
      </div>
      <div className="col-start-2 flex flex-wrap items-center gap-x-3 gap-y-1 md:contents">
        <div role="cell" className="flex flex-wrap items-center gap-x-2 gap-y-0.5 md:flex-col md:items-start">
          <StatusBadge status={post.status} />
          <When post={post} timeZone={timeZone} />
        </div>
        <Views post={post} views={views} />
        <Edited post={post} by={editedBy} />
      </div>
      <div role="cell" className="col-start-3 row-start-1 self-start md:col-start-auto md:row-start-auto md:self-center">
        <RowMenu post={post} onAct={onAct} />
      </div>
    </div>
  );
});

function When({ post, timeZone }: { post: ListedPost; timeZone: string | undefined }) {
  const { status, publishedAt, scheduledAt, deletedAt } = post;
  const at = status === "scheduled" ? scheduledAt : status === "deleted" ? deletedAt : status === "draft" ? null : publishedAt;
  if (!at) return null;
  return (
    <time dateTime={at} title={formatDateTime(at, timeZone)} className="text-[0.8125rem] text-muted">
      {status === "scheduled" ? formatDateTime(at, timeZone) : formatDate(at, timeZone)}
    </time>
  );
}

function Views({ post, views }: { post: ListedPost; views: number | undefined }) {
  const never = post.publishedAt === null;
  return (
    <div role="cell" className={cn("text-[0.8125rem] text-muted tabular-nums md:text-right", never && "max-md:hidden")}>
      {never ? (
        <span aria-label="Not published">–</span>
      ) : (
        <>
          <span title={views === undefined ? undefined : formatNumber(views)}>{views === undefined ? "…" : formatCompact(views)}</span>
          <span className="md:sr-only"> {views === 1 ? "view" : "views"}</span>
        </>
      )}
    </div>
  );
}

function Edited({ post, by }: { post: ListedPost; by: string }) {
  return (
    <div role="cell" className="flex min-w-0 gap-x-1.5 text-[0.8125rem] text-muted md:flex-col">
      <span className="flex min-w-0 items-center gap-1">
        <span className="md:hidden">Edited:</span>
        {post.editedBy.type === "tool" && <Bot aria-hidden className="size-3.5 shrink-0" />}
        <span className="truncate">{by}</span>
      </span>
      <TimeAgo at={post.editedAt} className="whitespace-nowrap" />
    </div>
  );
}
