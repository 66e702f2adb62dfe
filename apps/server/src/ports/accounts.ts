import type { UserId } from "#domain/ids";
import type { Timestamp } from "#domain/time";

export interface Account {
  readonly id: UserId;
  readonly email: string;
  readonly name: string;
  readonly createdAt: Timestamp;
}

/** People who can sign in. Passwords, sessions, two-factor and passkeys are the auth library's business. */
export interface Accounts {
  /** Null when the e-mail address has an account already. */
  create(account: { email: string; name: string; password: string }): Promise<Account | null>;
  get(id: UserId): Promise<Account | null>;
  getMany(ids: readonly UserId[]): Promise<readonly Account[]>;
  findByEmail(email: string): Promise<Account | null>;
  /** Whether this is the account's password. */
  verifyPassword(id: UserId, password: string): Promise<boolean>;
}
