import type { ListedPost } from "../../api/answers.ts";
import { cn } from "../../lib/cn.ts";
import { useStable } from "../../lib/use-stable.ts";
import type { useActorNames } from "../../shell/use-actor-names.ts";
import { Checkbox } from "../../ui/inputs.tsx";
import type { PostActionName } from "./post-actions.ts";
import { COLUMNS, PostRow } from "./post-row.tsx";
import type { Selection } from "./use-selection.ts";

/** Facts for the table that are not in the posts themselves. */
export interface TableFacts {
  readonly timeZone: string | undefined;
  readonly terms: ReadonlyMap<string, string>;
  readonly nameOf: ReturnType<typeof useActorNames>;
  readonly views: ReadonlyMap<string, number>;
}

export function PostTable({
  posts,
  facts,
  selection,
  isStale,
  onAct,
}: {
  posts: readonly ListedPost[];
  facts: TableFacts;
  selection: Selection;
  /** The shown posts are those of the previous filter; the next are being loaded. */
  isStale: boolean;
  onAct: (action: PostActionName, posts: readonly ListedPost[]) => void;
}) {
  const some = selection.chosen.length > 0;
  const toggle = useStable(selection.toggle);
  const act = useStable(onAct);
  return (
    <div
      role="table"
      aria-label="Posts"
      aria-busy={isStale}
      className={cn("overflow-hidden rounded-card border border-line bg-surface transition-opacity", isStale && "opacity-60")}
    >
      <div role="rowgroup" className="border-b border-line bg-sunken">
        <div role="row" className={cn("grid grid-cols-[1.25rem_minmax(0,1fr)] items-center gap-x-3 px-4 py-2 text-xs text-muted", COLUMNS)}>
          <div role="columnheader" className="flex">
            <Checkbox
              aria-label="Select everything shown"
              checked={selection.isAllShown ? true : some ? "indeterminate" : false}
              onCheckedChange={() => (selection.isAllShown ? selection.clear() : selection.allShown())}
            />
          </div>
          <div role="columnheader">Title</div>
          <div role="columnheader" className="max-md:hidden">
            Status
          </div>
          <div role="columnheader" className="text-right max-md:hidden" title="Views in the last 30 days">
            Views<span className="sr-only"> in the last 30 days</span>
          </div>
          <div role="columnheader" className="max-md:hidden">
            Edited
          </div>
          <div role="columnheader" className="max-md:hidden">
            <span className="sr-only">Actions</span>
          </div>
        </div>
      </div>
      <div role="rowgroup" className="divide-y divide-line">
        {posts.map((post) => (
          <PostRow
            key={post.id}
            post={post}
            byline={[...post.working.authorIds, ...post.working.categoryIds].flatMap((id) => facts.terms.get(id) ?? []).join(" · ")}
            editedBy={facts.nameOf(post.editedBy)}
            askedBy={post.review ? facts.nameOf(post.review.requestedBy) : undefined}
            views={facts.views.get(post.id)}
            timeZone={facts.timeZone}
            isChosen={selection.has(post.id)}
            onToggle={toggle}
            onAct={act}
          />
        ))}
      </div>
    </div>
  );
}
