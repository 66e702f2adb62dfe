import type { UserId } from "#domain/ids";
import { timestamp } from "#domain/time";
import type { Connections } from "#ports/connections";

/** Ends every connection of a person, for whoever takes the account over (adapters/accounts/open-doors.ts). */
export async function disconnectAll(connections: Pick<Connections, "listOf" | "revoke">, userId: UserId, now: Date): Promise<void> {
  for (const { id } of await connections.listOf(userId)) await connections.revoke(id, timestamp(now));
}
