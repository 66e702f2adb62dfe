import type { TermKind } from "@stet/contract";
import type { WebsiteId } from "#domain/ids";
import type { Timestamp } from "#domain/time";

/** Posts and each kind of term have slugs of their own. */
export type SlugSpace = "post" | TermKind;

export interface SlugClaim {
  readonly slug: string;
  readonly ownerId: string;
  readonly claimedAt: Timestamp;
}

export interface DoubtfulClaim extends SlugClaim {
  readonly websiteId: WebsiteId;
  readonly space: SlugSpace;
  /** Its owner has the slug. */
  readonly isNeeded: boolean;
  /** The store's own note on when the doubt began. */
  readonly doubt: string;
}

/** `(website, space, slug) → owner`: taken before the owner is saved, so that two can never have the same slug. */
export interface SlugClaims {
  /** Takes it if it is free. Answers who has it now: compare with `ownerId`. Claiming one's own again renews `claimedAt`. */
  claim(websiteId: WebsiteId, space: SlugSpace, claim: SlugClaim): Promise<{ ownerId: string; fresh: boolean }>;
  /** The owner of each of these slugs. */
  owners(websiteId: WebsiteId, space: SlugSpace, slugs: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Gives it up if `ownerId` has it, and, where given, only if it was last claimed before `claimedBefore`. */
  release(websiteId: WebsiteId, space: SlugSpace, slug: string, ownerId: string, claimedBefore?: Timestamp): Promise<void>;
  /** Hands it from one owner to another in one step; false when `from` does not have it. */
  move(websiteId: WebsiteId, space: SlugSpace, slug: string, from: string, to: string): Promise<boolean>;
  /**
   * Claims that are older and may have lost their reason, walked like all claims, each with whether its owner has the slug: for the sweep
   * that frees what a crash or a lost race left behind.
   */
  listDoubtful(
    before: Timestamp,
    after: { websiteId: WebsiteId; space: SlugSpace; slug: string } | null,
    limit: number,
  ): Promise<readonly DoubtfulClaim[]>;
  /** These have their reason: they are doubtful again only when their owner drops the slug, or dropped it meanwhile. */
  trust(claims: readonly DoubtfulClaim[]): Promise<void>;
  /** All claims of the store that are older, walked by website, space and slug. */
  listClaimedBefore(
    before: Timestamp,
    after: { websiteId: WebsiteId; space: SlugSpace; slug: string } | null,
    limit: number,
  ): Promise<readonly (SlugClaim & { websiteId: WebsiteId; space: SlugSpace })[]>;
}
