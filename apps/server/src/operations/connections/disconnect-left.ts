import { notFound } from "#domain/failure";
import type { GrantId } from "#domain/ids";
import { accountOperation } from "../kernel/operation.ts";
import { connectionId } from "./helpers/connection-view.ts";
import { leftConnections } from "./helpers/left-connections.ts";

export const disconnectLeft = accountOperation({
  name: "disconnect_left",
  summary: "Disconnect a connected app of yours that reaches no workspace of yours.",
  permission: "account.write",
  input: { connectionId },
  async run(call, input): Promise<{ readonly id: GrantId }> {
    const connection = (await leftConnections(call)).find(({ id }) => id === input.connectionId);
    if (!connection) throw notFound("connection");
    await call.services.connections.revoke(connection.id, call.now);
    return { id: connection.id };
  },
  changes: "nothing",
  // It concerns no workspace any more, and the log is kept by workspace.
  activity: () => null,
});
