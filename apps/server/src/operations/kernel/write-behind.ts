import { SECOND } from "#domain/time";

/** How long lines are collected before they are written together, and how soon after an outage they are tried again. */
const WRITTEN_EVERY_MILLIS = 1 * SECOND;
/** Lines that may wait. When there are as many they are written at once, and whoever brought the last one waits for it. */
const MOST_WAITING = 1_000;
/** Lines that are kept while the database does not answer; beyond, the oldest are lost. */
const MOST_KEPT = 10_000;

/** Lines of a log that are written beside what they tell of: a database that is away keeps nobody waiting and loses nothing. */
export interface WriteBehind<Line> {
  /** Written soon, with others. */
  add(line: Line): Promise<void>;
  /** Written before this returns, unless the database is away: then as soon as it is back. Never fails. */
  write(line: Line): Promise<void>;
  /** Writes what waits. */
  close(): Promise<void>;
}

export function createWriteBehind<Line>(options: {
  /** Writes all of them, or fails. A line that comes twice, because only the answer was lost, is written once. */
  write(lines: readonly Line[]): Promise<void>;
  /** How many are written together. */
  atOnce: number;
  /** Whether a failure passes by itself: the database is gone or just starting. */
  isOutage(error: unknown): boolean;
  onLost(error: unknown): void;
}): WriteBehind<Line> {
  const { atOnce, isOutage, onLost } = options;
  let waiting: Line[] = [];
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  function soon(): void {
    timer ??= setTimeout(now, WRITTEN_EVERY_MILLIS).unref();
  }

  function now(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    return (writing = writing.then(writeWaiting));
  }

  async function writeWaiting(): Promise<void> {
    while (waiting.length > 0) {
      const lines = waiting;
      waiting = lines.splice(atOnce);
      try {
        await options.write(lines);
      } catch (error) {
        if (isOutage(error)) return keep(lines);
        // One line that cannot be written, such as one of a workspace that was just erased, must not cost others theirs.
        if (lines.length === 1) onLost(error);
        else await Promise.all(lines.map(writeAlone));
      }
    }
  }

  const writeAlone = (line: Line): Promise<void> =>
    options.write([line]).catch((error: unknown) => (isOutage(error) ? keep([line]) : onLost(error)));

  function keep(lines: readonly Line[]): void {
    const all = [...lines, ...waiting];
    waiting = all.slice(-MOST_KEPT);
    if (all.length > MOST_KEPT) onLost(new Error(`${all.length - MOST_KEPT} lines are too many to keep until the database answers.`));
    soon();
  }

  async function add(line: Line): Promise<void> {
    waiting.push(line);
    if (waiting.length >= MOST_WAITING) return now();
    soon();
  }

  return {
    add,
    write: writeAlone,
    async close() {
      await now();
      if (waiting.length > 0) onLost(new Error(`${waiting.length} lines could not be written before the end.`));
    },
  };
}
