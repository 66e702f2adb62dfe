import { FolderPlus, TagIcon, X } from "lucide-react";
import { useState } from "react";
import { formatNumber } from "../../lib/format.ts";
import { usePlace } from "../../shell/place.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { mayOn } from "./may-on.ts";
import { addTerm, POST_ACTIONS, type PostAction, type PostActionName } from "./post-actions.ts";
import { TermList } from "./term-list.tsx";
import type { BulkProgress } from "./use-bulk.ts";
import type { ListedPost } from "./use-post-list.ts";

const ORDER: readonly PostActionName[] = ["publish", "update", "unpublish", "restore", "trash", "purge"];

/** What can be done to the ticked posts: each button says to how many of them it applies when that is not all. */
export function BulkBar({
  chosen,
  progress,
  onAct,
  onStart,
  onClear,
}: {
  chosen: readonly ListedPost[];
  progress: BulkProgress | null;
  onAct: (action: PostActionName, posts: readonly ListedPost[]) => void;
  onStart: (action: PostAction, posts: readonly ListedPost[]) => void;
  onClear: () => void;
}) {
  const place = usePlace();
  const [adding, setAdding] = useState<"category" | "tag" | null>(null);
  if (chosen.length === 0 && !progress) return null;
  const writable = chosen.filter((post) => post.status !== "deleted" && mayOn(place, "post.write", post));
  return (
    <div className="sticky bottom-3 z-20 flex justify-center">
      <section
        aria-label="Selected posts"
        className="appear flex max-w-full flex-wrap items-center gap-1.5 rounded-card border border-line bg-raised px-3 py-2 shadow-raised"
      >
        {progress ? (
          <Progress progress={progress} />
        ) : (
          <>
            <p role="status" className="mr-1 px-1 text-sm font-medium tabular-nums">
              {formatNumber(chosen.length)} selected
            </p>
            {ORDER.map((name) => {
              const action = POST_ACTIONS[name];
              const posts = chosen.filter((post) => action.appliesTo(post) && mayOn(place, action.permission, post));
              if (posts.length === 0) return null;
              return (
                <Button
                  key={name}
                  size="sm"
                  variant={name === "trash" || name === "purge" ? "danger-outline" : "outline"}
                  onClick={() => onAct(name, posts)}
                >
                  {action.label}
                  {posts.length < chosen.length && <span className="text-muted tabular-nums">{posts.length}</span>}
                </Button>
              );
            })}
            {writable.length > 0 && (
              <>
                <Button size="sm" onClick={() => setAdding("category")}>
                  <FolderPlus aria-hidden /> Add category
                </Button>
                <Button size="sm" onClick={() => setAdding("tag")}>
                  <TagIcon aria-hidden /> Add tag
                </Button>
              </>
            )}
            <IconButton label="Select nothing" size="sm" onClick={onClear}>
              <X />
            </IconButton>
          </>
        )}
      </section>
      <Dialog
        open={adding !== null}
        onOpenChange={() => setAdding(null)}
        title={adding === "tag" ? "Add a tag" : "Add a category"}
        description="It is added to the working copies. Readers see it once the changes of a post are published."
      >
        {adding && (
          <TermList
            kind={adding}
            onChoose={(term) => {
              onStart(addTerm(adding, term), writable);
              setAdding(null);
            }}
          />
        )}
      </Dialog>
    </div>
  );
}

function Progress({ progress: { doing, ended, total } }: { progress: BulkProgress }) {
  return (
    <div className="flex items-center gap-3 px-1 py-1.5 text-sm">
      <span role="status">
        {doing} … {formatNumber(ended)} of {formatNumber(total)}
      </span>
      <span
        role="progressbar"
        aria-label={doing}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={ended}
        className="h-1.5 w-28 overflow-hidden rounded-full bg-hover"
      >
        <span className="block h-full rounded-full bg-accent transition-[width]" style={{ width: `${(ended / total) * 100}%` }} />
      </span>
    </div>
  );
}
