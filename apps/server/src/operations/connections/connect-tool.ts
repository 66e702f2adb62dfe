import { z } from "zod";
import { type Connection, CONNECTION_KINDS, DEFAULT_PUBLISH_PER_HOUR } from "#domain/connection";
import { notFound } from "#domain/failure";
import { newId, type WorkspaceId } from "#domain/ids";
import { millis } from "#domain/time";
import { lineOf, nameOf } from "../kernel/inputs.ts";
import { accountOperation, workspaceId } from "../kernel/operation.ts";
import { personOf } from "../kernel/person.ts";

export interface Connected {
  readonly connection: Connection;
  /** The workspaces it reaches now: each writes it down. */
  readonly reaches: readonly WorkspaceId[];
}

export const connectTool = accountOperation({
  name: "connect_tool",
  summary: "Let a program act for oneself, in one workspace or in all of them.",
  permission: "account.write",
  input: {
    kind: z.enum(CONNECTION_KINDS),
    client: z.strictObject({
      id: lineOf(2_048),
      name: nameOf(),
      host: lineOf(255).nullable(),
      redirectHost: lineOf(255).nullable(),
    }),
    workspaces: z.union([z.literal("all"), workspaceId]),
    allowDelete: z.boolean().default(false),
  },
  async run(call, { kind, client, workspaces, allowDelete }): Promise<Connected> {
    const { services, now } = call;
    const userId = personOf(call);
    const mine = (await services.platform.workspaces.listFor(userId)).map(({ id }) => id);
    const reaches = workspaces === "all" ? mine : mine.filter((id) => id === workspaces);
    if (workspaces !== "all" && reaches.length === 0) throw notFound("workspace");
    const connection: Connection = {
      id: newId("grant", millis(now)),
      userId,
      kind,
      client,
      workspaces,
      allowDelete,
      publishPerHour: DEFAULT_PUBLISH_PER_HOUR,
      createdAt: now,
      lastUsedAt: null,
      calls: 0,
      revokedAt: null,
    };
    await services.connections.create(connection);
    return { connection, reaches };
  },
  activity: (_, __, { connection, reaches }) =>
    reaches.map((id) => ({
      workspaceId: id,
      target: { id: connection.id, label: connection.client.name },
      details: { workspaces: connection.workspaces === "all" ? "all" : "one", allowDelete: connection.allowDelete },
    })),
});
