import type { MediaId, WebsiteId, WorkspaceId } from "#domain/ids";
import type { FileState, MediaFile, StoreName } from "#domain/media-file";
import type { Timestamp } from "#domain/time";
import type { MediaRef } from "#ports/content-store";

/** A file whose bytes were read. */
export interface ReadFile extends Pick<MediaFile, "websiteId" | "mediaId" | "contentType" | "bytes" | "store" | "trashed" | "changedAt"> {
  readonly sha256: string;
}

/**
 * The service's own list of the files of images: what they take of a plan, and in which store they lie. It is on record before the bytes
 * are and until after they are gone, so no crash leaves bytes that nobody finds.
 */
export interface MediaLedger {
  get(websiteId: WebsiteId, mediaId: MediaId): Promise<MediaFile | null>;
  /** Another image of the website that is kept, not in the trash, and has the same bytes; the oldest. */
  findSame(websiteId: WebsiteId, sha256: string): Promise<MediaId | null>;
  /** Bytes of each website of the workspace that has files, the trash included: it still takes room. */
  totals(workspaceId: WorkspaceId): Promise<ReadonlyMap<WebsiteId, number>>;
  /** Takes the room of a file that is about to be written. False, and nothing is taken, while one of its id is leaving. */
  expect(file: ReadFile): Promise<boolean>;
  /** The file is there to stay; false when it is neither in the state `from` any more nor kept already. */
  keep(websiteId: WebsiteId, mediaId: MediaId, from: FileState, at: Timestamp): Promise<boolean>;
  /** The file was read where it lies. Adds what is missing and corrects what is there, unless it is coming or leaving. */
  record(file: ReadFile): Promise<void>;
  setTrashed(websiteId: WebsiteId, mediaId: MediaId, trashed: boolean): Promise<void>;
  /** It is being removed; false when somebody changed it since it was read. */
  leave(file: MediaFile, at: Timestamp): Promise<boolean>;
  /** Its bytes are gone. */
  remove(websiteId: WebsiteId, mediaId: MediaId): Promise<void>;
  /** Files that have been "expected" or "leaving" since before then; `now` is written on them, so that other nodes leave them alone. */
  claimUnsettled(before: Timestamp, now: Timestamp, limit: number): Promise<readonly MediaFile[]>;
  /** Files after the one and up to the other, by website and id; null: without that end. */
  listBetween(after: MediaRef | null, upTo: MediaRef | null, limit: number): Promise<readonly MediaFile[]>;
  /** The file lies there now; false when somebody changed it since it was read. */
  moveTo(file: MediaFile, store: StoreName, at: Timestamp): Promise<boolean>;
  /** How many files lie in another store than this one. */
  countOutside(store: StoreName): Promise<number>;
  /** Every store that has a file of the website. */
  storesOf(websiteId: WebsiteId): Promise<readonly StoreName[]>;
}
