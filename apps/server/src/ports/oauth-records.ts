import type { Connection } from "#domain/connection";
import type { GrantId } from "#domain/ids";

/** One record of the authorisation server: a client, a code, a token, a session, a device code. */
export interface OauthRecord {
  /** Such as `AuthorizationCode`. */
  readonly model: string;
  /** Hash of the id, for the id of a token is the token. */
  readonly idHash: string;
  /** The library's record, sealed where it could be used to sign in. */
  readonly payload: string;
  readonly grantId: GrantId | string | null;
  /** Hash of the code that a person types (device flow). */
  readonly userCodeHash: string | null;
  /** Hash of the session's other name. */
  readonly uidHash: string | null;
  /** Seconds since 1970; null = for ever. */
  readonly expiresAt: number | null;
  /** Seconds since 1970, once it was used. */
  readonly consumedAt: number | null;
}

/** The records of the authorisation server. It never sees a table, and the table never a token. */
export interface OauthRecords {
  upsert(record: OauthRecord): Promise<void>;
  /** Leaves one that exists already as it is. */
  insert(record: OauthRecord): Promise<void>;
  find(model: string, idHash: string): Promise<OauthRecord | null>;
  /** A record with the connection that its grant is, as both are now. One question: every call of a tool begins with it. */
  findGranted(model: string, idHash: string): Promise<{ readonly record: OauthRecord; readonly connection: Connection } | null>;
  findByUserCode(model: string, userCodeHash: string): Promise<OauthRecord | null>;
  findByUid(model: string, uidHash: string): Promise<OauthRecord | null>;
  /** False when it was consumed before: of two who try, one wins. It is kept until `keptUntil`, or its own end if that comes first. */
  consume(model: string, idHash: string, at: number, keptUntil: number): Promise<boolean>;
  destroy(model: string, idHash: string): Promise<void>;
  /** Removes up to `limit` records that expired before; answers how many. */
  forgetExpired(before: number, limit: number): Promise<number>;
}
