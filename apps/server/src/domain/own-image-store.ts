import type { WebsiteId } from "#domain/ids";
import type { Timestamp } from "#domain/time";

type OwnStoreKind = "s3" | "cloudinary";

/**
 * "connected": tested and on record; images can be moved there. "active": new images go there. "leaving": images are on their way back, and
 * new ones stay with the install. Whatever the state is, a file is read where the ledger says that it lies.
 */
export type OwnStoreState = "connected" | "active" | "leaving";

/** What an address says without anything secret. */
export interface OwnStoreFacts {
  readonly kind: OwnStoreKind;
  /** The bucket or the account: two addresses of the same place lead to the same files. */
  readonly place: string;
  /** To recognise it by: names and values in words. */
  readonly shown: Readonly<Record<string, string>>;
  /** Where the public gets its files, without a slash at the end. */
  readonly publicBase: string | null;
}

/** The store in which a website keeps its images if not with the install. */
export interface OwnImageStore extends OwnStoreFacts {
  readonly websiteId: WebsiteId;
  readonly state: OwnStoreState;
  /** Sealed. Empty: the secret that sealed it is lost. */
  readonly address: string;
  /** Answers show originals under the public base. */
  readonly usesPublicBase: boolean;
  /** Why it did not answer the last time; null while it does. */
  readonly error: string | null;
  readonly errorAt: Timestamp | null;
  readonly connectedAt: Timestamp;
  readonly activatedAt: Timestamp | null;
}

/** What the address is sealed for: copied to another website, or into another table, it does not open. */
export const sealContextOf = (websiteId: WebsiteId): string => `images of ${websiteId}`;

/** Why a store of a website's owner did not do what it was asked, in words that may be shown to whoever manages it. */
export class OwnStoreFault extends Error {
  override readonly name = "OwnStoreFault";
}
