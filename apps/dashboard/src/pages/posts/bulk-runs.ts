import type { ListedPost } from "../../api/answers.ts";
import { keyedState } from "../../lib/keyed-state.ts";
import { ApiProblem, messageOf } from "../../lib/problem.ts";
import { titleOf } from "../../lib/title-of.ts";
import { warnBeforeClose } from "../../lib/warn-before-close.ts";

/** Something that goes on with many posts, one after the other. */
export interface BulkRun {
  readonly id: number;
  /** The action, for the progress line: "Publishing". */
  readonly doing: string;
  readonly ended: number;
  /** Null: it ends when there are no more. */
  readonly total: number | null;
  /** Stops the run: posts in progress are finished, no others are started. */
  readonly stop: () => void;
}

interface BulkFailures {
  readonly doing: string;
  readonly done: number;
  readonly failed: readonly { readonly postId: string; readonly title: string; readonly why: string }[];
}

interface Bulk {
  readonly runs: readonly BulkRun[];
  /** The failures of all runs, until the person dismisses them. */
  readonly failures: readonly BulkFailures[];
}

/** By website, beside the page: it goes on while one looks at something else. */
const bulk = keyedState<Bulk>({ runs: [], failures: [] });
let last = 0;

export const useBulkRuns = (websiteId: string): Bulk => bulk.useValue(websiteId);

export const useIsBulkRunning = (websiteId: string): boolean => bulk.usePart(websiteId, ({ runs }) => runs.length > 0);

/** Whether somebody sees how far it is. */
export const isBulkShown = (websiteId: string): boolean => bulk.isShown(websiteId);

export function dismissFailures(websiteId: string): void {
  const { runs, failures } = bulk.get(websiteId);
  bulk.set(websiteId, { runs, failures: failures.slice(1) });
}

/** Shows that something goes on for as long as it does. `advance` says how many posts are through. */
export async function trackRun<T>(
  websiteId: string,
  { doing, total }: Pick<BulkRun, "doing" | "total">,
  work: (advance: (ended: number) => void, stopped: AbortSignal) => Promise<T>,
): Promise<T> {
  const id = ++last;
  const stopping = new AbortController();
  const put = (change: (runs: readonly BulkRun[]) => readonly BulkRun[]) => {
    const { runs, failures } = bulk.get(websiteId);
    bulk.set(websiteId, { runs: change(runs), failures });
  };
  put((runs) => [...runs, { id, doing, total, ended: 0, stop: () => stopping.abort() }]);
  try {
    const advance = (ended: number) => put((runs) => runs.map((run) => (run.id === id ? { ...run, ended } : run)));
    return await warnBeforeClose(work(advance, stopping.signal));
  } finally {
    put((runs) => runs.filter((run) => run.id !== id));
  }
}

/** Enough to be quick, few enough to leave the server free for others. */
const AT_ONCE = 4;

export interface ForEachResult<T, R> {
  readonly done: readonly { readonly item: T; readonly result: R }[];
  /** How many were not started, because the person stopped the run or the server cannot be reached. */
  readonly left: number;
}

/** Runs an action on many posts, a few at a time. Failures are kept for `useBulkRuns`, with the reason. */
export function runForEach<T extends { readonly before: ListedPost }, R>(
  websiteId: string,
  doing: string,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<ForEachResult<T, R>> {
  return trackRun(websiteId, { doing, total: items.length }, async (advance, stopped) => {
    const done: { item: T; result: R }[] = [];
    const failed: BulkFailures["failed"][number][] = [];
    const waiting = [...items];
    let isCutOff = false;
    const worker = async () => {
      while (!stopped.aborted && !isCutOff) {
        const item = waiting.shift();
        if (!item) return;
        try {
          done.push({ item, result: await work(item) });
        } catch (error) {
          isCutOff ||= isAboutAll(error);
          failed.push({ postId: item.before.id, title: titleOf(item.before), why: messageOf(error) });
        }
        advance(done.length + failed.length);
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, items.length) }, worker));
    if (failed.length > 0) {
      const { runs, failures } = bulk.get(websiteId);
      bulk.set(websiteId, { runs, failures: [...failures, { doing, done: done.length, failed }] });
    }
    return { done, left: waiting.length };
  });
}

/** Without a connection or a session the others would fail as well: they are left for the next try. */
const isAboutAll = (error: unknown): boolean => error instanceof ApiProblem && (error.status === 0 || error.status === 401);
