import type { Connection, ToolCall } from "#domain/connection";
import { type GrantId, newId } from "#domain/ids";
import { HOUR, SECOND, timestamp } from "#domain/time";
import type { Services } from "#operations/kernel/services";

/** How long calls are collected before they are written down together. Short: an owner waits for the first sign. */
const WRITTEN_EVERY_MILLIS = 1 * SECOND;
/** Lines that may wait. When there are as many they are written at once, and whoever brought the last one waits for it. */
const MOST_WAITING = 1_000;
/** Lines that are kept while the database does not answer. */
const MOST_KEPT = 10_000;

/** What connections did, written down: every call in the log, how often each was used, and what it published lately. */
export interface Ledger {
  /** A change is in the log before its answer goes out, because undo reads it; others are written soon after. */
  log(connection: Connection, call: Omit<ToolCall, "id" | "at" | "connectionId">): Promise<void>;
  /** Counts one call. Costs nothing on the path. */
  used(connection: Connection): void;
  /** How many more posts the connection may make public, all workspaces together. */
  publishesLeft(connection: Connection): Promise<number>;
  /** Runs a publishing call; those of one connection go one after the other, so that together they cannot exceed the budget. */
  inTurn<T>(connection: Connection, publish: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function createLedger(
  services: Pick<Services, "connections" | "clock" | "onTrouble">,
  publishing: readonly string[],
  /** Whether what failed is worth trying again: the database is gone or just starting. */
  isOutage: (error: unknown) => boolean,
): Ledger {
  const { connections, clock, onTrouble } = services;
  const turns = new Map<GrantId, Promise<unknown>>();
  let waiting: ToolCall[] = [];
  let used = new Map<GrantId, number>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();
  const lost = (error: unknown) => onTrouble("A call of a connected tool was not logged", error);

  function soon(): void {
    timer ??= setTimeout(now, WRITTEN_EVERY_MILLIS).unref();
  }

  function now(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    return (writing = writing.then(write));
  }

  async function write(): Promise<void> {
    const [lines, calls, at] = [waiting, used, timestamp(clock())];
    waiting = [];
    used = new Map();
    await Promise.all([
      connections.log(...lines).catch(async (error: unknown) => {
        if (isOutage(error)) keep(lines);
        // One line that cannot be written, such as one of a workspace that was just erased, must not cost others theirs.
        else await Promise.all(lines.map(writeAlone));
      }),
      connections.touch([...calls].map(([id, times]) => ({ id, at, calls: times }))).catch((error: unknown) => {
        if (!isOutage(error)) return onTrouble("Calls of connected tools were not counted", error);
        for (const [id, times] of calls) count(id, times);
      }),
    ]);
  }

  const writeAlone = (line: ToolCall): Promise<void> =>
    connections.log(line).catch((error: unknown) => (isOutage(error) ? keep([line]) : lost(error)));

  /** Written with the next ones. Sent twice, because only the answer was lost, a line is written once. */
  function keep(lines: readonly ToolCall[]): void {
    const all = [...lines, ...waiting];
    waiting = all.slice(-MOST_KEPT);
    if (all.length > MOST_KEPT) lost(new Error(`${all.length - MOST_KEPT} lines are too many to keep until the database answers.`));
    soon();
  }

  function count(id: GrantId, times: number): void {
    used.set(id, (used.get(id) ?? 0) + times);
    soon();
  }

  return {
    async log(connection, call) {
      const at = clock();
      const line = { ...call, id: newId("toolCall", at.getTime()), at: timestamp(at), connectionId: connection.id };
      if (call.after !== null) return writeAlone(line);
      waiting.push(line);
      if (waiting.length >= MOST_WAITING) return now();
      soon();
    },

    used({ id }) {
      count(id, 1);
    },

    async publishesLeft({ id, publishPerHour }) {
      const since = timestamp(clock().getTime() - HOUR);
      return Math.max(0, publishPerHour - (await connections.countCalls(id, publishing, since)));
    },

    inTurn({ id }, publish) {
      const before = turns.get(id) ?? Promise.resolve();
      const turn = before.then(publish, publish);
      const ended = turn.then(
        () => {},
        () => {},
      );
      turns.set(id, ended);
      void ended.then(() => turns.get(id) === ended && turns.delete(id));
      return turn;
    },

    async close() {
      await now();
      if (waiting.length > 0) lost(new Error(`${waiting.length} lines could not be written before the end.`));
    },
  };
}
