import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { messageOf } from "../../api/problem.ts";
import type { OperationName } from "../../api/wire.ts";
import { plural } from "../../lib/format.ts";
import { toast } from "../../ui/toast.tsx";
import type { PostAction } from "./post-actions.ts";
import { titleOf } from "./title-of.ts";
import type { ListedPost } from "./use-post-list.ts";

/** Enough to be quick, few enough to leave room for everybody else. */
const AT_ONCE = 4;
const STALE = [
  "list_posts",
  "count_posts",
  "list_calendar",
  "get_home",
  "get_post",
  "list_terms",
] as const satisfies readonly OperationName[];

export interface BulkProgress {
  readonly doing: string;
  readonly ended: number;
  readonly total: number;
}
export interface BulkFailures {
  /** What was being done: "Publishing". */
  readonly doing: string;
  readonly done: number;
  readonly failed: readonly { readonly postId: string; readonly title: string; readonly why: string }[];
}

interface Change {
  readonly before: ListedPost;
  readonly after: ListedPost | null;
}

/** Does one thing to many posts, a few at a time, and says what came of each. `onBegin` hears of every turn, Undo's too. */
export function useBulk(onBegin: (postIds: readonly string[]) => void) {
  const client = useQueryClient();
  const [progress, setProgress] = useState<BulkProgress | null>(null);
  const [failures, setFailures] = useState<BulkFailures | null>(null);

  async function each<T extends { readonly before: ListedPost }, R>(doing: string, items: readonly T[], work: (item: T) => Promise<R>) {
    const done: { item: T; result: R }[] = [];
    const failed: BulkFailures["failed"][number][] = [];
    const waiting = [...items];
    onBegin(items.map(({ before }) => before.id));
    setProgress({ doing, ended: 0, total: items.length });
    const worker = async () => {
      for (let item = waiting.shift(); item; item = waiting.shift()) {
        try {
          done.push({ item, result: await work(item) });
        } catch (error) {
          failed.push({ postId: item.before.id, title: titleOf(item.before), why: messageOf(error) });
        }
        setProgress({ doing, ended: done.length + failed.length, total: items.length });
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
    setProgress(null);
    if (failed.length > 0) setFailures({ doing, done: done.length, failed });
    await Promise.all(STALE.map((name) => client.invalidateQueries({ queryKey: [name] })));
    return done;
  }

  async function undo(action: PostAction, changes: readonly Change[]) {
    const back = changes.flatMap(({ before, after }) => (after ? [{ before, after }] : []));
    const done = await each("Undoing", back, ({ before, after }) => action.undo!(before, after));
    if (done.length > 0) toast.ok(`Undone for ${plural(done.length, "post")}.`);
  }

  return {
    progress,
    failures,
    dismissFailures: () => setFailures(null),
    async start(action: PostAction, posts: readonly ListedPost[]): Promise<void> {
      const items = posts.filter(action.appliesTo).map((before) => ({ before }));
      if (items.length === 0) return;
      const done = await each(action.doing, items, ({ before }) => action.run(before));
      if (done.length === 0) return;
      const changes = done.map(({ item, result }) => ({ before: item.before, after: result }));
      toast.ok(action.done(done.length), action.undo && { label: "Undo", run: () => void undo(action, changes) });
    },
  };
}
