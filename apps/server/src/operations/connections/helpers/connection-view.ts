import { clientLabel } from "#domain/client-name";
import type { Connection } from "#domain/connection";
import { fail, notFound } from "#domain/failure";
import type { GrantId, UserId, WorkspaceId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import { hasPermission } from "../../kernel/has-permission.ts";
import { idOf, type InWorkspace } from "../../kernel/operation.ts";
import { findWhoEnded } from "./find-who-ended.ts";

export const connectionId = idOf<GrantId>("grant");

/** A connection as the members of a workspace see it. */
export interface ConnectionView {
  readonly id: GrantId;
  readonly kind: Connection["kind"];
  /** The name is the one that it is called by everywhere: whoever has the access first, then the name that it gave itself. */
  readonly client: { readonly name: string; readonly host: string | null; readonly redirectHost: string | null };
  /** Whose role it acts within; the name is null when the account is gone. */
  readonly grantedBy: { readonly userId: UserId; readonly name: string | null };
  readonly isOwn: boolean;
  /** Of which workspaces: all that the person is in, this one, or none of this one's business. */
  readonly reach: "all" | "this" | "another";
  readonly allowDelete: boolean;
  readonly publishPerHour: number;
  readonly createdAt: Timestamp;
  readonly lastUsedAt: Timestamp | null;
  /** In all workspaces together. */
  readonly calls: number;
  /** Set when it was disconnected. */
  readonly endedAt: Timestamp | null;
  /** The person who disconnected it, or that its token was used twice; null where the log of this workspace does not say. */
  readonly endedBy: { readonly name: string } | "copied" | null;
}

export async function connectionViews(context: InWorkspace, connections: readonly Connection[]): Promise<readonly ConnectionView[]> {
  const { services, workspace } = context;
  const [endings, members] = await Promise.all([findWhoEnded(context, connections), services.platform.members.list(workspace.id)]);
  const people = new Set([...connections.map(({ userId }) => userId), ...endings.values()].filter((id) => id !== null));
  const names = new Map((await services.accounts.getMany([...people])).map((account) => [account.id, account.name]));
  return connections.map((connection) => ({
    id: connection.id,
    kind: connection.kind,
    client: { name: clientLabel(connection), host: connection.client.host, redirectHost: connection.client.redirectHost },
    grantedBy: { userId: connection.userId, name: names.get(connection.userId) ?? null },
    isOwn: isOwn(context, connection),
    reach: members.some(({ userId }) => userId === connection.userId) ? reachIn(workspace.id, connection) : "another",
    allowDelete: connection.allowDelete,
    publishPerHour: connection.publishPerHour,
    createdAt: connection.createdAt,
    lastUsedAt: connection.lastUsedAt,
    calls: connection.calls,
    endedAt: connection.revokedAt,
    endedBy: endedBy(endings.get(connection.id)),
  }));

  function endedBy(userId: UserId | null | undefined): ConnectionView["endedBy"] {
    if (userId === undefined) return null;
    return userId === null ? "copied" : { name: names.get(userId) ?? "a deleted account" };
  }
}

export async function connectionView(context: InWorkspace, connection: Connection): Promise<ConnectionView> {
  const [view] = await connectionViews(context, [connection]);
  return view!;
}

const reachIn = (workspaceId: WorkspaceId, { workspaces }: Connection): ConnectionView["reach"] =>
  workspaces === "all" ? "all" : workspaces === workspaceId ? "this" : "another";

export const isOwn = ({ actor }: InWorkspace, connection: Connection): boolean =>
  actor.type !== "system" && actor.userId === connection.userId;

/** One's own connections, and for a manager of connections those of every member into the workspace. */
export const sees = (context: InWorkspace, connection: Connection): boolean =>
  isOwn(context, connection) || hasPermission(context, "connection.manage");

/** A connection that reaches this workspace or did something in it; any other is not there, whoever asks. */
export async function findConnection(context: InWorkspace, id: GrantId): Promise<Connection> {
  const { services, workspace } = context;
  const connection = await services.connections.get(id);
  if (!connection || !sees(context, connection)) throw notFound("connection");
  if (await reachesHere(context, connection)) return connection;
  const { rows } = await services.connections.listCalls(workspace.id, { connectionId: id, after: null, limit: 1 });
  if (rows.length === 0) throw notFound("connection");
  return connection;
}

async function reachesHere({ services, workspace }: InWorkspace, connection: Connection): Promise<boolean> {
  const role = await services.platform.members.role(workspace.id, connection.userId);
  return role !== null && reachIn(workspace.id, connection) !== "another";
}

/** Others end or narrow a connection for the sake of this workspace. One that did something here once is now other workspaces' business. */
export async function requireOwnOrReaching(context: InWorkspace, connection: Connection): Promise<void> {
  if (isOwn(context, connection) || (await reachesHere(context, connection))) return;
  throw fail(
    "INVALID_TRANSITION",
    "This app has no access to this workspace any more, so only the person who connected it can change it. You can still undo what it did here.",
  );
}

export const aboutConnection = ({ id, client, grantedBy }: ConnectionView) => ({
  target: { id, label: client.name },
  details: { grantedBy: grantedBy.name },
});
