import { clientLabel } from "#domain/client-name";
import { type Connection, DEFAULT_PUBLISH_PER_HOUR } from "#domain/connection";
import { notFound } from "#domain/failure";
import { newId, type WorkspaceId } from "#domain/ids";
import { millis } from "#domain/time";
import type { Activity, Call } from "../../kernel/operation.ts";
import { userIdOf } from "../../kernel/user-id-of.ts";

export interface Connected {
  readonly connection: Connection;
  /** The workspaces it reaches now: each writes it down. */
  readonly reaches: readonly WorkspaceId[];
}

/** A new connection of the person who asks, to one workspace of theirs or to all. */
export async function beginConnection(
  call: Call,
  asked: Pick<Connection, "kind" | "client" | "workspaces" | "allowDelete">,
): Promise<Connected> {
  const { services, now } = call;
  const userId = userIdOf(call);
  const mine = (await services.platform.workspaces.listFor(userId)).map(({ id }) => id);
  const reaches = asked.workspaces === "all" ? mine : mine.filter((id) => id === asked.workspaces);
  if (asked.workspaces !== "all" && reaches.length === 0) throw notFound("workspace");
  const connection: Connection = {
    ...asked,
    id: newId("grant", millis(now)),
    userId,
    publishPerHour: DEFAULT_PUBLISH_PER_HOUR,
    createdAt: now,
    lastUsedAt: null,
    calls: 0,
    revokedAt: null,
  };
  await services.connections.create(connection);
  return { connection, reaches };
}

export const connectedActivity = ({ connection, reaches }: Connected): readonly Activity[] =>
  reaches.map((workspaceId) => ({
    workspaceId,
    target: { id: connection.id, label: clientLabel(connection) },
    details: { workspaces: connection.workspaces === "all" ? "all" : "one", allowDelete: connection.allowDelete },
  }));
