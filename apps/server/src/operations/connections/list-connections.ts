import { workspaceOperation } from "../kernel/operation.ts";
import { type ConnectionView, connectionViews, sees } from "./helpers/connection-view.ts";

const MOST_PAST = 50;

export interface ConnectionList {
  /** Newest first. */
  readonly connections: readonly ConnectionView[];
  /** Reach this workspace no more, but did something in it that can be looked at and undone. */
  readonly past: readonly ConnectionView[];
}

export const listConnections = workspaceOperation({
  name: "list_connections",
  summary: "List the connected apps of a workspace: your own, or for admins those of every member.",
  permission: "connection.own",
  input: {},
  async run(context): Promise<ConnectionList> {
    const { connections } = context.services;
    const [present, past] = await Promise.all([
      connections.listInto(context.workspace.id),
      connections.listPast(context.workspace.id, MOST_PAST),
    ]);
    const shown = await Promise.all(
      [present, past].map((list) =>
        connectionViews(
          context,
          list.filter((connection) => sees(context, connection)),
        ),
      ),
    );
    return { connections: shown[0]!, past: shown[1]! };
  },
  activity: "none",
});
