import type { Connection, ToolCall } from "#domain/connection";
import { type GrantId, newId } from "#domain/ids";
import { HOUR, type Timestamp, timestamp } from "#domain/time";
import { createWriteBehind } from "#domain/write-behind";
import type { Services } from "../../kernel/services.ts";

/** Writes down the calls of connections: every call in the log, and how often each connection was used. */
export interface ToolCallLog {
  /** A change is in the log before its answer goes out, because undo reads it; others are written soon after. */
  log(connection: Connection, call: Omit<ToolCall, "id" | "at" | "connectionId">): Promise<void>;
  /** Counts one call. Costs nothing on the path. */
  used(connection: Connection): void;
  /** How many more posts the connection may make public, all workspaces together. */
  publishesLeft(connection: Connection): Promise<number>;
  close(): Promise<void>;
}

export function createToolCallLog(
  services: Pick<Services, "connections" | "clock" | "onTrouble">,
  /** Whether what failed is worth trying again: the database is gone or just starting. */
  isOutage: (error: unknown) => boolean,
): ToolCallLog {
  const { connections, clock, onTrouble } = services;
  const lines = createWriteBehind<ToolCall>({
    write: (calls) => connections.log(...calls),
    isOutage,
    onLost: (error) => onTrouble("A call of a connected tool was not logged", error),
  });
  const uses = createWriteBehind<{ id: GrantId; at: Timestamp; calls: number }>({
    write: (used) => connections.touch(used),
    merging: { keyOf: ({ id }) => id, merge: (earlier, later) => ({ ...later, calls: earlier.calls + later.calls }) },
    isOutage,
    onLost: (error) => onTrouble("Calls of connected tools were not counted", error),
  });

  return {
    async log(connection, call) {
      const at = clock();
      const line = { ...call, id: newId("toolCall", at.getTime()), at: timestamp(at), connectionId: connection.id };
      return call.after === null ? lines.add(line) : lines.write(line);
    },

    used({ id }) {
      void uses.add({ id, at: timestamp(clock()), calls: 1 });
    },

    async publishesLeft({ id, publishPerHour }) {
      const since = timestamp(clock().getTime() - HOUR);
      return Math.max(0, publishPerHour - (await connections.countSpent(id, "publish", since)));
    },

    async close() {
      await Promise.all([lines.close(), uses.close()]);
    },
  };
}
