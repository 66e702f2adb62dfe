import type { PlanName, Role } from "@stet/contract";
import type { ActorRef } from "#domain/actor";
import type { ActivityId, InvitationId, KeyId, PostId, UserId, WebsiteId, WorkspaceId } from "#domain/ids";
import type { JsonObject } from "#domain/json";
import type { PostEvent } from "#domain/post";
import type { Timestamp } from "#domain/time";
import type { ApiKey, Invitation, Member, Website, Workspace } from "#domain/website";
import type { After, ListPage } from "#ports/list-page";
import type { ContentHomes } from "#ports/content-homes";
import type { MediaLedger } from "#ports/media-ledger";
import type { Moves } from "#ports/moves";
import type { OwnDatabaseRecords } from "#ports/own-database-records";
import type { OwnImageStores } from "#ports/own-images";

/** Everything that is not content: always in the service's own PostgreSQL. Deleted workspaces and websites are "not there". */
export interface Platform {
  readonly workspaces: Workspaces;
  readonly websites: Websites;
  readonly homes: ContentHomes;
  readonly members: Members;
  readonly invitations: Invitations;
  readonly keys: ApiKeys;
  readonly activity: ActivityLog;
  readonly schedules: Schedules;
  readonly events: EventLog;
  readonly usage: Usage;
  readonly mails: Mails;
  readonly imports: Imports;
  readonly mediaFiles: MediaLedger;
  readonly ownImageStores: OwnImageStores;
  readonly ownDatabases: OwnDatabaseRecords;
  readonly moves: Moves;
  /**
   * Runs `work` in one transaction that holds the workspace: two of these on one workspace never run at once, so a limit
   * that was checked inside still holds when the thing is created. Throws NOT_FOUND when the workspace is gone.
   */
  locked<T>(workspaceId: WorkspaceId, work: (platform: Platform) => Promise<T>): Promise<T>;
  /**
   * Runs `work` on the website while nobody else is at work of this name there, on any node. It holds no connection and no row meanwhile,
   * so it may ask stores that take their time. Throws UNAVAILABLE when the one before does not end.
   */
  withLease<T>(websiteId: WebsiteId, name: string, work: () => Promise<T>): Promise<T>;
  /** Runs `work` unless another node is at the job of this name; null, without running it, where one is. Ends with the process. */
  onOneNode<T>(job: string, work: () => Promise<T>): Promise<T | null>;
  /** Answers when the database does. */
  ping(): Promise<void>;
}

export interface Workspaces {
  get(id: WorkspaceId): Promise<Workspace | null>;
  /** With its owner, in one transaction. */
  create(workspace: Workspace, owner: Member): Promise<void>;
  rename(id: WorkspaceId, name: string): Promise<void>;
  setPlan(id: WorkspaceId, plan: PlanName): Promise<void>;
  markDeleted(id: WorkspaceId, at: Timestamp): Promise<void>;
  /** Workspaces of a person, with the person's role, by name. */
  listFor(userId: UserId): Promise<readonly (Workspace & { role: Role })[]>;
  /** The one that was made first, of those there are. */
  oldest(): Promise<Workspace | null>;
  /** True while the install has no workspace: the setup link is offered. */
  isEmptyInstall(): Promise<boolean>;
  /** Runs `work` where nobody has moved in yet, on one node at a time; null, without running it, where somebody has. */
  whileEmpty<T>(work: () => Promise<T>): Promise<T | null>;
  listDeletedBefore(before: Timestamp, limit: number): Promise<readonly WorkspaceId[]>;
  erase(id: WorkspaceId): Promise<void>;
}

/** A website, its workspace, and the role that a person has there: every question about a website begins with these. */
interface WebsiteWithRole {
  readonly website: Website;
  readonly workspace: Workspace;
  /** Null: not a member. */
  readonly role: Role | null;
}

export interface Websites {
  /** In one question, because it is asked with every call. Without a person there is no role. */
  getWithRole(id: WebsiteId, userId: UserId | null): Promise<WebsiteWithRole | null>;
  get(id: WebsiteId): Promise<Website | null>;
  create(website: Website): Promise<void>;
  /** Replaces name, settings and field definitions if the stored version is `website.version - 1`. */
  save(website: Website): Promise<"saved" | "stale">;
  markDeleted(id: WebsiteId, at: Timestamp): Promise<void>;
  /** Oldest first. */
  list(workspaceId: WorkspaceId): Promise<readonly Website[]>;
  /** Those of all these workspaces, oldest first. */
  listOf(workspaceIds: readonly WorkspaceId[]): Promise<readonly Website[]>;
  /** Also those of deleted workspaces. */
  listDeletedBefore(before: Timestamp, limit: number): Promise<readonly WebsiteId[]>;
  /** Removes the record, its keys, schedules, events and counters. The content is erased first (ContentStore). */
  erase(id: WebsiteId): Promise<void>;
  /** Where readers get the originals of its images; null: from this service. Nothing is written where it is so already. */
  setImageBase(id: WebsiteId, base: string | null): Promise<void>;
  contentState(id: WebsiteId): Promise<ContentState>;
}

/** What cached answers depend on: they were made from this content, in the store that held it then. */
export interface ContentState {
  /** Raised with every visible change. */
  readonly contentVersion: number;
  /** Raised when the content moves to another store. */
  readonly storeEpoch: number;
}

export interface Members {
  role(workspaceId: WorkspaceId, userId: UserId): Promise<Role | null>;
  list(workspaceId: WorkspaceId): Promise<readonly (Member & { name: string; email: string; emailVerified: boolean })[]>;
  add(member: Member): Promise<void>;
  setRole(workspaceId: WorkspaceId, userId: UserId, role: Role): Promise<void>;
  remove(workspaceId: WorkspaceId, userId: UserId): Promise<void>;
}

export interface Invitations {
  /** The token itself is never stored, only its keyed hash, and which server secret made that. */
  create(invitation: Invitation, tokenHash: string, secretId?: string): Promise<void>;
  get(workspaceId: WorkspaceId, id: InvitationId): Promise<Invitation | null>;
  findByTokenHash(tokenHash: string): Promise<Invitation | null>;
  /** Those neither accepted nor expired at `now`. */
  listOpen(workspaceId: WorkspaceId, now: Timestamp): Promise<readonly Invitation[]>;
  /** False when it was accepted already: an invitation serves once. */
  markAccepted(workspaceId: WorkspaceId, id: InvitationId, at: Timestamp): Promise<boolean>;
  delete(workspaceId: WorkspaceId, id: InvitationId): Promise<void>;
}

export interface ApiKeys {
  create(key: ApiKey): Promise<void>;
  get(websiteId: WebsiteId, id: KeyId): Promise<ApiKey | null>;
  findByHash(hash: string): Promise<ApiKey | null>;
  /** Live first, newest first, then the revoked ones. */
  list(websiteId: WebsiteId): Promise<readonly ApiKey[]>;
  countLive(websiteId: WebsiteId): Promise<number>;
  update(websiteId: WebsiteId, id: KeyId, change: { name: string; origins: readonly string[]; monthlyCap: number | null }): Promise<void>;
  revoke(websiteId: WebsiteId, id: KeyId, at: Timestamp): Promise<void>;
  /** The same key, hashed under the server secret that everything moves to; nothing happens when that is another one. */
  moveTo(key: Pick<ApiKey, "websiteId" | "id" | "hash">, hashed: Pick<ApiKey, "hash" | "secretId">): Promise<void>;
}

export interface ActivityEntry {
  readonly id: ActivityId;
  readonly workspaceId: WorkspaceId;
  readonly websiteId: WebsiteId | null;
  readonly at: Timestamp;
  readonly actor: ActorRef;
  /** The operation's name, such as `publish_post`. */
  readonly action: string;
  /** The thing that was changed: its id, and its name at that time. */
  readonly target: { readonly id: string; readonly label: string } | null;
  readonly details: JsonObject;
  /** How many like it were folded into this one (autosaves). */
  readonly count: number;
}

/** An entry as it is written. */
export interface ActivityLine {
  readonly entry: ActivityEntry;
  /** Entries with the same key become one (autosaves). */
  readonly foldKey?: string | undefined;
}

export interface ActivityQuery {
  readonly websiteId?: WebsiteId;
  readonly action?: string;
  readonly userId?: UserId;
  readonly actorType?: ActorRef["type"];
  readonly targetId?: string;
  /** Any of these. */
  readonly targetIds?: readonly string[];
  /** At this moment or later. */
  readonly from?: Timestamp;
  /** Before this moment. */
  readonly to?: Timestamp;
  /** Newest first, then id descending. A line that stands for several entries may stand ten seconds too low. */
  readonly after: After | null;
  readonly limit: number;
}

export interface ActivityLog {
  /**
   * With a fold key, an entry that has it already is updated (count + 1, and time and details of the later one) instead of a second
   * one written. Without, an entry that is there already stays as it is.
   */
  append(entry: ActivityEntry, foldKey?: string): Promise<void>;
  list(workspaceId: WorkspaceId, query: ActivityQuery): Promise<ListPage<ActivityEntry>>;
  /** Which of these people, in person or through a tool, ever did something in the workspace. */
  whoActed(workspaceId: WorkspaceId, userIds: readonly UserId[]): Promise<readonly UserId[]>;
}

/** The activity log's line about an import; its id is the import's. */
export interface ImportLine extends ActivityEntry {
  readonly websiteId: WebsiteId;
}

/** Imports that are under way, so that one whose process dies is not forgotten. */
export interface Imports {
  /** It is under way. Unless it says so again until then, `line` is to be written down for it. */
  keep(line: ImportLine, until: Timestamp): Promise<void>;
  end(line: Pick<ImportLine, "websiteId" | "id">): Promise<void>;
  /** One whose time is over, hidden from other nodes for `leaseSeconds`. */
  claimSilent(now: Timestamp, leaseSeconds: number): Promise<ImportLine | null>;
}

export interface ScheduleEntry {
  readonly websiteId: WebsiteId;
  readonly postId: PostId;
  readonly at: Timestamp;
  /** How often it was looked at in vain. */
  readonly failures: number;
}

/**
 * When to look at which post. An entry is only a reminder: the post itself says whether it is due, so an entry too many
 * does nothing. It is written before the post is saved as scheduled; a crash between the two leaves a reminder too many.
 */
export interface Schedules {
  add(websiteId: WebsiteId, postId: PostId, at: Timestamp): Promise<void>;
  remove(websiteId: WebsiteId, postId: PostId, at: Timestamp): Promise<void>;
  /** Due entries, each hidden from other nodes for `leaseSeconds`. */
  claimDue(now: Timestamp, leaseSeconds: number, limit: number): Promise<readonly ScheduleEntry[]>;
  /** It was looked at in vain; look again at `retryAt`. */
  postpone(entry: ScheduleEntry, retryAt: Timestamp): Promise<void>;
  /** Entries of a website that were due before then and failed, oldest first. */
  listFailing(websiteId: WebsiteId, before: Timestamp, limit: number): Promise<readonly ScheduleEntry[]>;
  /** Forgets the entries of a website that are due: their posts stay scheduled, and a person decides. */
  holdBack(websiteId: WebsiteId, dueBefore: Timestamp): Promise<void>;
}

/** A notice on its way to one person. */
interface MailToSend {
  readonly workspaceId: WorkspaceId;
  /** Added again with the same key, it is still one letter. */
  readonly key: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface WaitingMail extends MailToSend {
  readonly madeAt: Timestamp;
  /** This one included. */
  readonly attempts: number;
}

/** Emails that wait for a worker. Invitations and resets do not: the person who asked for one waits for the answer. */
export interface Mails {
  add(mails: readonly MailToSend[], now: Timestamp): Promise<void>;
  /** Those that are due, each hidden from other nodes for `leaseSeconds`. */
  claimDue(now: Timestamp, leaseSeconds: number, limit: number): Promise<readonly WaitingMail[]>;
  postpone(mail: Pick<MailToSend, "workspaceId" | "key">, until: Timestamp): Promise<void>;
  /** Sent or given up. */
  end(mail: Pick<MailToSend, "workspaceId" | "key">, now: Timestamp): Promise<void>;
  /** Removes up to `limit` that ended before then; answers how many. */
  forgetBefore(before: Timestamp, limit: number): Promise<number>;
}

export interface LoggedEvent {
  readonly sequence: number;
  readonly event: PostEvent;
}

/** The events of posts, in commit order per website. Webhooks and `/blog/changes` read it. */
export interface EventLog {
  /** Idempotent by event id. */
  append(events: readonly PostEvent[]): Promise<void>;
  /** Sequences of a website have no gaps; the first is 1. */
  list(websiteId: WebsiteId, after: number, limit: number): Promise<readonly LoggedEvent[]>;
  /** The newest, which is never forgotten; null when nothing has happened yet. */
  last(websiteId: WebsiteId): Promise<LoggedEvent | null>;
  /** Which history the sequences belong to: a number that rises when content came or went without events. */
  history(websiteId: WebsiteId): Promise<number>;
  /** Content came or went without events: clients that follow them must start again. */
  beginHistory(websiteId: WebsiteId): Promise<void>;
  /** Removes up to `limit` events older than `before`, but no website's newest; answers how many. */
  forgetBefore(before: Timestamp, limit: number): Promise<number>;
}

/** Requests of one website, day, route and kind of answer; `counted` of them go against the workspace's month. */
export interface UsageRow {
  readonly workspaceId: WorkspaceId;
  readonly websiteId: WebsiteId;
  /** Set when a key with a cap of its own made them. */
  readonly keyId: KeyId | null;
  /** UTC, such as `2026-11-15`. */
  readonly day: string;
  /** A pattern such as `/blog/posts/{slugOrId}`, never an address with values in it. */
  readonly route: string;
  /** 2 for 2xx and so on. */
  readonly statusClass: number;
  readonly requests: number;
  readonly counted: number;
}

export interface Usage {
  /** Counted requests of a workspace in a UTC month (`2026-11`). */
  requests(workspaceId: WorkspaceId, month: string): Promise<number>;
  requestsOfKey(websiteId: WebsiteId, keyId: KeyId, month: string): Promise<number>;
  /**
   * Adds what a node counted since its last call. Answers the new totals of the workspaces and keys it touched. Sent again
   * with the same `batchId`, because the answer was lost, it adds nothing; the rows of one call are of one month.
   */
  add(
    rows: readonly UsageRow[],
    batchId?: string,
  ): Promise<{ workspaces: ReadonlyMap<WorkspaceId, number>; keys: ReadonlyMap<KeyId, number> }>;
  /** When each key was last used, to the minute. */
  touchKeys(used: readonly { websiteId: WebsiteId; keyId: KeyId; at: Timestamp }[]): Promise<void>;
  /** Traffic per endpoint, for the dashboard. */
  traffic(websiteId: WebsiteId, since: string): Promise<readonly { day: string; route: string; statusClass: number; requests: number }[]>;
  /** Forgets up to `limit` lines of traffic of days before `day`; answers how many. What was counted against months is not touched. */
  forgetTraffic(day: string, limit: number): Promise<number>;
  /** Whether the warning of a workspace, month and threshold (75, 90 or 100 %) has been given. */
  isWarned(workspaceId: WorkspaceId, month: string, percent: number): Promise<boolean>;
  recordWarning(workspaceId: WorkspaceId, month: string, percent: number): Promise<void>;
}
