import { useQueryClient } from "@tanstack/react-query";
import type { ListedPost } from "../../api/answers.ts";
import type { OperationName } from "../../api/wire.ts";
import { formatNumber, plural } from "../../lib/format.ts";
import { mayOnPost } from "../../shell/may-on-post.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { toast } from "../../ui/toast.tsx";
import { runForEach, isBulkShown } from "./bulk-runs.ts";
import type { PostAction } from "./post-actions.ts";

const STALE = [
  "list_posts",
  "count_posts",
  "list_calendar",
  "get_home",
  "get_post",
  "list_terms",
] as const satisfies readonly OperationName[];

interface Change {
  readonly before: ListedPost;
  readonly after: ListedPost | null;
}

/** Runs an action on many posts and reports how many were changed, and how many were skipped and why. `onBegin` is called for every run, Undo's too. */
export function useBulk(onBegin: (postIds: readonly string[]) => void) {
  const client = useQueryClient();
  const context = useWebsiteContext();
  const websiteId = context.website.id;

  async function each<T extends { readonly before: ListedPost }, R>(doing: string, items: readonly T[], work: (item: T) => Promise<R>) {
    onBegin(items.map(({ before }) => before.id));
    const result = await runForEach(websiteId, doing, items, work);
    await Promise.all(STALE.map((name) => client.invalidateQueries({ queryKey: [name] })));
    const failed = items.length - result.left - result.done.length;
    // A person on the page sees the failed posts and the reasons there.
    if (failed > 0 && !isBulkShown(websiteId)) toast.error(`${doing} failed for ${plural(failed, "post")}. See Posts.`);
    return result;
  }

  async function undo(action: PostAction, changes: readonly Change[]) {
    const back = changes.flatMap(({ before, after }) => (after ? [{ before, after }] : []));
    const { done, left } = await each("Undoing", back, ({ before, after }) => action.undo!(before, after));
    if (done.length > 0) toast.ok(`Undone for ${plural(done.length, "post")}.${leftWords([[left, "not started"]])}`);
  }

  /** The posts to which the action applies and on which this person may run it. */
  return async (action: PostAction, posts: readonly ListedPost[]): Promise<void> => {
    const fitting = posts.filter(action.appliesTo);
    const items = fitting.filter((post) => mayOnPost(context, action.permission, post)).map((before) => ({ before }));
    const { done, left } = items.length === 0 ? { done: [], left: 0 } : await each(action.doing, items, ({ before }) => action.run(before));
    const words = leftWords([
      [posts.length - fitting.length, action.leaves],
      [fitting.length - items.length, "no permission"],
      [left, "not started"],
    ]);
    if (done.length === 0) return words === "" ? undefined : toast.ok(`Nothing was changed.${words}`);
    const changes = done.map(({ item, result }) => ({ before: item.before, after: result }));
    toast.ok(action.done(done.length) + words, action.undo && { label: "Undo", run: () => void undo(action, changes) });
  };
}

/** " Skipped: 3 published already, 2 not started." */
function leftWords(counts: readonly (readonly [count: number, why: string])[]): string {
  const parts = counts.filter(([count]) => count > 0).map(([count, why]) => `${formatNumber(count)} ${why}`);
  return parts.length === 0 ? "" : ` Skipped: ${parts.join(", ")}.`;
}
