import { FolderPlus, TagIcon, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { ListedPost } from "../../api/answers.ts";
import { formatNumber } from "../../lib/format.ts";
import { mayOnPost } from "../../shell/may-on-post.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { BulkProgress } from "./bulk-progress.tsx";
import { useBulkRuns } from "./bulk-runs.ts";
import { addTerm, POST_ACTIONS, type PostAction, type PostActionName } from "./post-actions.ts";
import { TermList } from "./term-list.tsx";
import type { EveryPost } from "./use-every-post.ts";

const ORDER: readonly PostActionName[] = ["publish", "update", "unpublish", "restore", "trash", "purge"];

/** The actions on the ticked posts. A button says to how many of them it applies if not to all. */
export function BulkBar({
  chosen,
  every,
  onAct,
  onStart,
  onClear,
  onStop,
}: {
  chosen: readonly ListedPost[];
  /** Shown when all loaded posts are ticked and there are more. */
  every: EveryPost | null;
  onAct: (action: PostActionName, posts: readonly ListedPost[]) => void;
  onStart: (action: PostAction, posts: readonly ListedPost[]) => void;
  onClear: () => void;
  /** Before something that goes on is stopped. */
  onStop: () => void;
}) {
  const context = useWebsiteContext();
  const { runs } = useBulkRuns(context.website.id);
  const [adding, setAdding] = useState<"category" | "tag" | null>(null);
  const frame = useRef<HTMLElement>(null);
  const isBusy = runs.length > 0;
  const wasBusy = useRef(isBusy);
  // The progress replaced the pressed button. After all posts are selected, the focus goes to the actions on them.
  useEffect(() => {
    if (wasBusy.current && !isBusy && document.activeElement === document.body) frame.current?.focus();
    wasBusy.current = isBusy;
  }, [isBusy]);
  if (chosen.length === 0 && !isBusy) return null;
  const writable = chosen.filter((post) => post.status !== "deleted" && mayOnPost(context, "post.write", post));
  return (
    <div className="sticky bottom-3 z-20 flex justify-center" data-bar>
      <section
        ref={frame}
        tabIndex={-1}
        aria-label="Selected posts"
        className="appear flex max-w-full flex-wrap items-center gap-1.5 rounded-card border border-line bg-raised px-3 py-2 shadow-raised"
      >
        {isBusy ? (
          runs.map((run) => <BulkProgress key={run.id} run={run} onStop={onStop} />)
        ) : (
          <>
            <p role="status" className="mr-1 px-1 text-sm font-medium tabular-nums">
              {formatNumber(chosen.length)} selected
            </p>
            {every && (
              <Button size="sm" variant="ghost" className="text-accent" onClick={every.choose}>
                {every.count === null ? "Select all that match" : `Select all ${formatNumber(every.count)} posts`}
              </Button>
            )}
            {ORDER.map((name) => {
              const action = POST_ACTIONS[name];
              const posts = chosen.filter((post) => action.appliesTo(post) && mayOnPost(context, action.permission, post));
              if (posts.length === 0) return null;
              return (
                <Button
                  key={name}
                  size="sm"
                  variant={name === "trash" || name === "purge" ? "danger-outline" : "outline"}
                  onClick={() => onAct(name, chosen)}
                >
                  {action.label}
                  {posts.length < chosen.length && <span className="text-muted tabular-nums">{formatNumber(posts.length)}</span>}
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
            <IconButton label="Clear selection" size="sm" onClick={onClear}>
              <X />
            </IconButton>
          </>
        )}
      </section>
      <Dialog
        open={adding !== null}
        onOpenChange={() => setAdding(null)}
        title={adding === "tag" ? "Add a tag" : "Add a category"}
        description="Added as an unpublished change. Readers see it when you publish the changes."
      >
        {adding && (
          <TermList
            kind={adding}
            onChoose={(term) => {
              onStart(addTerm(adding, term), chosen);
              setAdding(null);
            }}
          />
        )}
      </Dialog>
    </div>
  );
}
