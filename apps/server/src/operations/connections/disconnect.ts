import type { Connection } from "#domain/connection";
import { type InWorkspace, workspaceOperation } from "../kernel/operation.ts";
import {
  aboutConnection,
  connectionId,
  type ConnectionView,
  connectionView,
  findConnection,
  isOwn,
  requireOwnOrReaching,
} from "./helpers/connection-view.ts";
import { emailConnectionEnded } from "./helpers/email-connection-ended.ts";

/**
 * Ends it with every token, in one transaction: the next call is refused. An admin ends a member's connection everywhere, not only
 * here: half a connection would look alive to its owner, and connecting anew, with this workspace left out, is a minute's work. The
 * owner is written to, who would otherwise find a tool that stopped for no reason.
 */
export const disconnect = workspaceOperation({
  name: "disconnect",
  summary: "Disconnect a connected app.",
  permission: "connection.own",
  input: { connectionId },
  async run(context, input): Promise<ConnectionView> {
    const connection = await findConnection(context, input.connectionId);
    if (!connection.revokedAt) await end(context, connection);
    return connectionView(context, { ...connection, revokedAt: connection.revokedAt ?? context.now });
  },
  changes: "nothing",
  activity: ({ now }, _, view) => (view.endedAt === now ? aboutConnection(view) : null),
});

async function end(context: InWorkspace, connection: Connection): Promise<void> {
  const { services, workspace, actor, now } = context;
  await requireOwnOrReaching(context, connection);
  const isDone = await services.connections.revoke(connection.id, now);
  if (!isDone || isOwn(context, connection) || actor.type === "system") return;
  const who = await services.accounts.get(actor.userId);
  await emailConnectionEnded(services, connection, workspace, { by: who?.name ?? "An admin" });
}
