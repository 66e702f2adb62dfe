import { clientLabel } from "#domain/client-name";
import { accountOperation } from "../kernel/operation.ts";
import type { ConnectionView } from "./helpers/connection-view.ts";
import { leftConnections } from "./helpers/left-connections.ts";

export type LeftConnectionView = Pick<ConnectionView, "id" | "kind" | "client" | "allowDelete" | "createdAt" | "lastUsedAt">;

/** No workspace lists them: the person has left the one that they were limited to. */
export const listLeftConnections = accountOperation({
  name: "list_left_connections",
  summary: "List your connected apps that reach no workspace of yours, because you left it or it was deleted.",
  permission: "account.write",
  input: {},
  async run(call): Promise<readonly LeftConnectionView[]> {
    return (await leftConnections(call)).map((connection) => ({
      id: connection.id,
      kind: connection.kind,
      client: { name: clientLabel(connection), host: connection.client.host, redirectHost: connection.client.redirectHost },
      allowDelete: connection.allowDelete,
      createdAt: connection.createdAt,
      lastUsedAt: connection.lastUsedAt,
    }));
  },
  activity: "none",
});
