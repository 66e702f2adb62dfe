import type { Connection, ToolCall } from "#domain/connection";
import { type GrantId, newId } from "#domain/ids";
import { HOUR, SECOND, timestamp } from "#domain/time";
import type { Services } from "#operations/kernel/services";

/** How long used connections are collected before they are counted in one statement. Short: an owner waits for the first sign. */
const COUNTED_EVERY_MILLIS = 1 * SECOND;
/** Lines of reading calls that may wait to be written; more are written before the answer. */
const MOST_WAITING = 1_000;

/** What connections did, written down: every call in the log, how often each was used, and what it published lately. */
export interface Ledger {
  /** A change is in the log before its answer goes out, because undo reads it; a reading call is written right after. */
  log(connection: Connection, call: Omit<ToolCall, "id" | "at" | "connectionId">): Promise<void>;
  /** Counts one call. Costs nothing on the path. */
  used(connection: Connection): void;
  /** How many more posts the connection may make public, all workspaces together. */
  publishesLeft(connection: Connection): Promise<number>;
  /** Runs a publishing call; those of one connection go one after the other, so that together they cannot exceed the budget. */
  inTurn<T>(connection: Connection, publish: () => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

export function createLedger(services: Pick<Services, "connections" | "clock" | "onTrouble">, publishing: readonly string[]): Ledger {
  const { connections, clock, onTrouble } = services;
  const waiting = new Set<Promise<void>>();
  const turns = new Map<GrantId, Promise<unknown>>();
  let used = new Map<GrantId, number>();
  let timer: NodeJS.Timeout | null = null;

  async function count(): Promise<void> {
    timer = null;
    const calls = used;
    used = new Map();
    const at = timestamp(clock());
    await connections
      .touch([...calls].map(([id, times]) => ({ id, at, calls: times })))
      .catch((error: unknown) => onTrouble("Calls of connected tools were not counted", error));
  }

  return {
    async log(connection, call) {
      const now = clock();
      const line = { ...call, id: newId("toolCall", now.getTime()), at: timestamp(now), connectionId: connection.id };
      const written = connections.log(line).catch((error: unknown) => onTrouble("A call of a connected tool was not logged", error));
      if (call.after !== null || waiting.size >= MOST_WAITING) return written;
      const tracked = written.finally(() => waiting.delete(tracked));
      waiting.add(tracked);
    },

    used({ id }) {
      used.set(id, (used.get(id) ?? 0) + 1);
      timer ??= setTimeout(() => void count(), COUNTED_EVERY_MILLIS).unref();
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
      if (timer) clearTimeout(timer);
      await count();
      await Promise.all(waiting);
    },
  };
}
