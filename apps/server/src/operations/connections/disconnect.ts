import { workspaceOperation } from "../kernel/operation.ts";
import { aboutConnection, connectionId, type ConnectionView, connectionView, findConnection } from "./connection-view.ts";

/**
 * Ends it with every token, in one transaction: the next call is refused. An admin ends a member's connection everywhere, not only
 * here: half a connection would look alive to its owner, and connecting anew, with this workspace left out, is a minute's work.
 */
export const disconnect = workspaceOperation({
  name: "disconnect",
  summary: "Disconnect a connected tool at once.",
  permission: "connection.own",
  input: { connectionId },
  async run(context, input): Promise<ConnectionView> {
    const connection = await findConnection(context, input.connectionId);
    if (!connection.revokedAt) await context.services.connections.revoke(connection.id, context.now);
    return connectionView(context, { ...connection, revokedAt: connection.revokedAt ?? context.now });
  },
  activity: ({ now }, _, view) => (view.endedAt === now ? aboutConnection(view) : null),
});
