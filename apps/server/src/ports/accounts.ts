import type { UserId } from "#domain/ids";
import type { Timestamp } from "#domain/time";

export interface Account {
  readonly id: UserId;
  readonly email: string;
  /** Whether its owner has shown that letters to the address reach them. Until then the address is a name that anybody can take. */
  readonly emailVerified: boolean;
  readonly name: string;
  readonly createdAt: Timestamp;
}

/** People who can sign in. Passwords, sessions, two-factor and passkeys are the auth library's business. */
export interface Accounts {
  /** Null when the e-mail address has an account already. */
  create(account: { email: string; name: string; password: string; emailVerified?: boolean }): Promise<Account | null>;
  get(id: UserId): Promise<Account | null>;
  getMany(ids: readonly UserId[]): Promise<readonly Account[]>;
  findByEmail(email: string): Promise<Account | null>;
  /** Whether this is the account's password. */
  verifyPassword(id: UserId, password: string): Promise<boolean>;
  /** Takes an address without proof. False when it has an account already. */
  takeEmail(id: UserId, email: string): Promise<boolean>;
  /** The token of a letter to an address that is this person's, or is to become it. Good once, within an hour. */
  startEmailProof(id: UserId, email: string): Promise<string>;
  /** The letter was read: the address is the person's, and verified. "unknown": not this token for this person and this address. */
  finishEmailProof(id: UserId, email: string, token: string): Promise<"done" | "unknown" | "taken">;
  /** The token of a letter to somebody who wants an account for this address. Good once, within an hour. */
  startSignUp(email: string): Promise<string>;
  /** The letter was read. False: not this token for this address. */
  finishSignUp(email: string, token: string): Promise<boolean>;
  /** Removes up to `limit` sessions that ended before then, with the address and the browser they came from; answers how many. */
  forgetSessions(before: Timestamp, limit: number): Promise<number>;
}
