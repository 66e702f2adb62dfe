import type { Grant } from "#domain/actor";
import type { GrantId, ToolCallId, UserId, WebsiteId, WorkspaceId } from "#domain/ids";
import type { Timestamp } from "#domain/time";

/** ai: an assistant that signed in by browser. cli: `stet login` of a person. ci: a script with a credential of its own. */
export const CONNECTION_KINDS = ["ai", "cli", "ci"] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/** A connected tool: who let which client act for them, and how far. Its id is the grant's. */
export interface Connection extends Grant {
  readonly id: GrantId;
  /** Whose role it acts within. */
  readonly userId: UserId;
  readonly kind: ConnectionKind;
  readonly client: {
    readonly id: string;
    readonly name: string;
    /** Where its metadata document lies, if it has one: then the name is the host's word, not just anybody's. */
    readonly host: string | null;
    /** Where the browser was sent after Allow; null for the device flow. */
    readonly redirectHost: string | null;
  };
  readonly createdAt: Timestamp;
  /** To the minute. */
  readonly lastUsedAt: Timestamp | null;
  /** Tool calls so far. */
  readonly calls: number;
  readonly revokedAt: Timestamp | null;
}

export const DEFAULT_PUBLISH_PER_HOUR = 30;

/** One call of a tool that reached a workspace: what, where, what came of it. */
export interface ToolCall {
  readonly id: ToolCallId;
  readonly workspaceId: WorkspaceId;
  readonly websiteId: WebsiteId | null;
  readonly connectionId: GrantId;
  readonly at: Timestamp;
  /** Such as `update_post`. */
  readonly tool: string;
  /** The thing that was changed, with its name at that time. */
  readonly target: { readonly id: string; readonly label: string } | null;
  /** The error code it was refused with, or `HELD` when it waits for a person as a suggestion; null when it was done. */
  readonly refusal: string | null;
  /** Versions of the target before and after; null where nothing was changed or created. */
  readonly before: number | null;
  readonly after: number | null;
}
