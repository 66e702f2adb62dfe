import type { Role } from "@stet/contract";
import type { Connection, ToolCall } from "#domain/connection";
import type { GrantId, PostId, UserId, WebsiteId, WorkspaceId } from "#domain/ids";
import type { ReaderEffect } from "#domain/reader-effect";
import type { Timestamp } from "#domain/time";
import type { ToolSave } from "#domain/tool-save";
import type { After, ListPage } from "#ports/list-page";

/** How far a connection goes. */
export type ConnectionLimits = Pick<Connection, "workspaces" | "allowDelete" | "publishPerHour">;

/**
 * What a call of a connected tool was judged by. It is in force as long as the connection has not ended and still reaches the workspace,
 * its owner has that role there, and deleting has not been taken from it.
 */
export interface ConnectionStanding {
  readonly connectionId: GrantId;
  readonly userId: UserId;
  readonly workspaceId: WorkspaceId;
  readonly role: Role;
  readonly allowDelete: boolean;
}

/** Connected tools and what they did. Always in the service's own PostgreSQL. */
export interface Connections {
  create(connection: Connection): Promise<void>;
  /** Also a revoked one. */
  get(id: GrantId): Promise<Connection | null>;
  /** Whether the person ever connected this client. */
  hasBeen(userId: UserId, clientId: string): Promise<boolean>;
  /** Those not revoked, newest first. */
  listOf(userId: UserId): Promise<readonly Connection[]>;
  /** Those of present members that reach this workspace, not revoked, newest first. */
  listInto(workspaceId: WorkspaceId): Promise<readonly Connection[]>;
  /** Those that did something in this workspace and reach it no more, the last used first. */
  listPast(workspaceId: WorkspaceId, limit: number): Promise<readonly Connection[]>;
  isInForce(standing: ConnectionStanding): Promise<boolean>;
  /**
   * Does the work, which is a write that takes moments, if the standing is in force, and keeps it so meanwhile: whoever ends or narrows the
   * connection, or removes its owner, is answered when the work is done. Null: it is not in force, and nothing was done.
   */
  whileInForce<T extends string>(standing: ConnectionStanding, work: () => Promise<T>): Promise<T | null>;
  /**
   * Where `seen` is given, only if its limits are still these; false when they are not, or it was ended. Answers when no write is under
   * way any more that was judged by the limits before.
   */
  change(id: GrantId, change: ConnectionLimits, seen?: ConnectionLimits): Promise<boolean>;
  /**
   * Ends it with every token and code of it, in one transaction; false when it had ended before. Answers when no write of it is under way
   * any more.
   */
  revoke(id: GrantId, at: Timestamp): Promise<boolean>;
  /** Those made before this moment that hold nothing any more by which they could be used: no token, no code. */
  listLapsed(before: Timestamp, limit: number): Promise<readonly GrantId[]>;
  /** Adds calls, and when it was last used. */
  touch(used: readonly { id: GrantId; at: Timestamp; calls: number }[]): Promise<void>;

  log(...calls: ToolCall[]): Promise<void>;
  /** Newest first, then id descending. */
  listCalls(
    workspaceId: WorkspaceId,
    query: { connectionId?: GrantId; since?: Timestamp; onlyChanges?: boolean; after: After | null; limit: number },
  ): Promise<ListPage<ToolCall>>;
  /**
   * Counts one publication or takedown, if fewer than `limit` were counted after `since`, on all nodes together. Else `spent` is null, and
   * `freeAfter` is the moment of the one that has to be an hour old before there is room again; null: there never is.
   */
  spend(
    id: GrantId,
    effect: ReaderEffect,
    counting: { at: Timestamp; since: Timestamp; limit: number },
  ): Promise<{ readonly spent: Spent | null; readonly freeAfter: Timestamp | null }>;
  /** What was counted did not come about. */
  giveBack(id: GrantId, effect: ReaderEffect, spent: Spent): Promise<void>;
  countSpent(id: GrantId, effect: ReaderEffect, since: Timestamp): Promise<number>;
  /** Terms and images it made or changed, by website and id. */
  listThings(workspaceId: WorkspaceId, id: GrantId, query: ThingsQuery): Promise<readonly ChangedThing[]>;
  /** Removes up to `limit` calls, and as many saves, older than `before`; answers how many. */
  forgetCalls(before: Timestamp, limit: number): Promise<number>;

  readonly saves: ToolSaves;
}

interface Spent {
  readonly id: string;
  readonly at: Timestamp;
}

interface ThingsQuery {
  readonly since: Timestamp;
  readonly until: Timestamp;
  readonly after: { readonly websiteId: string; readonly id: string } | null;
  readonly limit: number;
}

/** A term or an image that a connection made or changed. */
export interface ChangedThing {
  readonly websiteId: WebsiteId;
  readonly id: string;
  /** Its name at that time; empty when the log has no line about it, because a node died before it was written. */
  readonly label: string;
}

/** The states of posts before connected tools saved them: undo is built on these. */
export interface ToolSaves {
  /**
   * Called before the save, with `saved: false`. Again for the same version: replaced, unless that one was made. Also for terms and images, in
   * the place of a post.
   */
  begin(save: ToolSave): Promise<void>;
  /** The save was made: it takes the place of any other of the same version. */
  confirm(save: ToolSave): Promise<void>;
  /** The saves of a post for every connection, oldest version first. */
  listOf(websiteId: WebsiteId, postId: PostId): Promise<readonly ToolSave[]>;
  /** Forgets the saves of a post that is not there any more. */
  forget(websiteId: WebsiteId, postId: PostId): Promise<void>;
  /** Posts that the connection itself saved between two moments, both included: the one it saved last comes first. */
  listPosts(
    websiteIds: readonly WebsiteId[],
    connectionId: GrantId,
    query: { since: Timestamp; until: Timestamp; after: After | null; limit: number },
  ): Promise<ListPage<{ websiteId: WebsiteId; postId: PostId }>>;
}

/** The connection behind an access token that is in force now. */
export interface AccessTokens {
  /** Null: unknown, expired, for another audience, or its connection was ended. */
  find(token: string): Promise<{ readonly connection: Connection; readonly expiresAt: Timestamp } | null>;
  /** This install made it, as far as that can be told without asking: it may have ended since. */
  isOurs(token: string): boolean;
}
