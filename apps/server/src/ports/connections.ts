import type { Connection, ToolCall } from "#domain/connection";
import type { GrantId, UserId, WorkspaceId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import type { After, Page } from "#ports/content-store";

/** Connected tools and what they did. Always in the service's own PostgreSQL. */
export interface Connections {
  create(connection: Connection): Promise<void>;
  /** Also a revoked one. */
  get(id: GrantId): Promise<Connection | null>;
  /** Those not revoked, newest first. */
  listOf(userId: UserId): Promise<readonly Connection[]>;
  /** Those of present members that reach this workspace, not revoked, newest first. */
  listInto(workspaceId: WorkspaceId): Promise<readonly Connection[]>;
  change(id: GrantId, change: Pick<Connection, "workspaces" | "allowDelete" | "publishPerHour">): Promise<void>;
  /** Ends it with every token and code of it, in one transaction. */
  revoke(id: GrantId, at: Timestamp): Promise<void>;
  /** Adds calls, and when it was last used. */
  touch(used: readonly { id: GrantId; at: Timestamp; calls: number }[]): Promise<void>;

  log(call: ToolCall): Promise<void>;
  /** Newest first, then id descending. */
  listCalls(
    workspaceId: WorkspaceId,
    query: { connectionId?: GrantId; since?: Timestamp; onlyChanges?: boolean; after: After | null; limit: number },
  ): Promise<Page<ToolCall>>;
  /** Calls of these tools that were done since a moment: for the publish budget. */
  countCalls(id: GrantId, tools: readonly string[], since: Timestamp): Promise<number>;
  /** Removes up to `limit` calls older than `before`; answers how many. */
  forgetCalls(before: Timestamp, limit: number): Promise<number>;
}

/** The connection behind an access token that is in force now. */
export interface AccessTokens {
  /** Null: unknown, expired, for another audience, or its connection was ended. */
  find(token: string): Promise<{ readonly connection: Connection; readonly expiresAt: Timestamp } | null>;
}
