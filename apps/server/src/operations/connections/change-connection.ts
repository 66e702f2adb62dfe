import { z } from "zod";
import type { Connection } from "#domain/connection";
import { fail, invalid } from "#domain/failure";
import type { WorkspaceId } from "#domain/ids";
import type { ConnectionLimits } from "#ports/connections";
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

const MOST_PUBLISHES_PER_HOUR = 1_000;

/** Acts on the tool's next call: it asks for its grant on every one. */
export const changeConnection = workspaceOperation({
  name: "change_connection",
  summary: "Reduce the access of a connected app; its owner can also extend it, with the password.",
  permission: "connection.own",
  input: {
    connectionId,
    reach: z.enum(["all", "this"]).optional(),
    allowDelete: z.boolean().optional(),
    publishPerHour: z.int().min(0).max(MOST_PUBLISHES_PER_HOUR).optional(),
    /** The password of the person who granted it. Needed only to widen. */
    password: z.string().max(500).optional(),
  },
  async run(context, input): Promise<ConnectionView> {
    const connection = await findConnection(context, input.connectionId);
    if (connection.revokedAt) throw fail("INVALID_TRANSITION", "This app was disconnected. Connect it again first.");
    await requireOwnOrReaching(context, connection);
    const next: ConnectionLimits = {
      workspaces: input.reach ? reached(input.reach, context.workspace.id) : connection.workspaces,
      allowDelete: input.allowDelete ?? connection.allowDelete,
      publishPerHour: input.publishPerHour ?? connection.publishPerHour,
    };
    if (!isOwn(context, connection)) refuseForOthers(connection, next);
    else if (widens(connection, next)) await requirePassword(context, connection, input.password);
    // Two who change it at once: the slower must not give back what the faster took away.
    if (!(await context.services.connections.change(connection.id, next, connection))) {
      throw fail("VERSION_CONFLICT", "Someone else just changed this app's access. Review it, then try again.");
    }
    return connectionView(context, { ...connection, ...next });
  },
  changes: "nothing",
  activity: (_, input, view) => {
    const { target, details } = aboutConnection(view);
    const { reach, allowDelete, publishPerHour } = view;
    const changed = Object.entries({ reach, allowDelete, publishPerHour }).filter(
      ([key]) => input[key as keyof typeof input] !== undefined,
    );
    return { target, details: { ...details, ...Object.fromEntries(changed) } };
  },
});

const reached = (reach: "all" | "this", here: WorkspaceId): ConnectionLimits["workspaces"] => (reach === "all" ? "all" : here);

function widens(from: ConnectionLimits, to: ConnectionLimits): boolean {
  if (to.allowDelete && !from.allowDelete) return true;
  if (to.publishPerHour > from.publishPerHour) return true;
  return to.workspaces !== from.workspaces && from.workspaces !== "all";
}

/** A manager of the workspace can only narrow; the tool's other workspaces are its owner's business. */
function refuseForOthers(from: Connection, to: ConnectionLimits): void {
  if (!widens(from, to) && to.workspaces === from.workspaces) return;
  throw fail(
    "INSUFFICIENT_ROLE",
    "Only the person who connected this app can give it more access or choose its workspaces. You can reduce its access or disconnect it.",
  );
}

async function requirePassword({ services }: InWorkspace, { userId }: Connection, password: string | undefined): Promise<void> {
  if (password !== undefined && (await services.accounts.verifyPassword(userId, password))) return;
  throw invalid([
    {
      field: "password",
      message: password
        ? "is not your password"
        : "is required to give a connected app more access; if you have none, connect the app again",
    },
  ]);
}
