import type { ImageEdit, NumberedEdit } from "#domain/image-edit";
import type { MediaId, WebsiteId, WorkspaceId } from "#domain/ids";
import type { FileState, ManagedStore, MediaFile, StoreName } from "#domain/media-file";
import type { Timestamp } from "#domain/time";
import type { MediaRef } from "#ports/media-records";

/** A file whose bytes were read. */
export interface ReadFile extends Pick<MediaFile, "websiteId" | "mediaId" | "contentType" | "bytes" | "store" | "trashed" | "changedAt"> {
  readonly sha256: string;
}

/** How many files, how many bytes they have, and how many of the files are coming or leaving. */
interface FileSum {
  readonly files: number;
  readonly bytes: number;
  readonly unsettled: number;
}

/**
 * The service's own list of the files of images: what they take of a plan, and in which store they lie. It is on record before the bytes
 * are and until after they are gone, so no crash leaves bytes that nobody finds.
 */
export interface MediaLedger {
  get(websiteId: WebsiteId, mediaId: MediaId): Promise<MediaFile | null>;
  /**
   * Another image of the website that is kept, not in the trash, and has the same bytes; the oldest. With `comingSince` also one whose upload
   * is under way since then.
   */
  findSame(websiteId: WebsiteId, sha256: string, comingSince?: Timestamp | null): Promise<MediaId | null>;
  /**
   * Bytes with the install of each website of the workspace that has some there, the trash included: it still takes room. What lies in a
   * website's own store takes none.
   */
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
  /**
   * The number of these settings of an image: the one that they had before, or the next. Numbers are never given to other settings, so that
   * what is made by them can be kept for ever. Null: the image had too many.
   */
  addEdit(websiteId: WebsiteId, mediaId: MediaId, edit: ImageEdit): Promise<NumberedEdit | null>;
  getEdit(websiteId: WebsiteId, mediaId: MediaId, revision: number): Promise<NumberedEdit | null>;
  /** Settings that a record came with under their number, where that is still free: of content from another install. */
  keepEdit(websiteId: WebsiteId, mediaId: MediaId, edit: NumberedEdit): Promise<void>;
  /** Its bytes are gone. */
  remove(websiteId: WebsiteId, mediaId: MediaId): Promise<void>;
  /** Files that have been "expected" or "leaving" since before then; `now` is written on them, so that other nodes leave them alone. */
  claimUnsettled(before: Timestamp, now: Timestamp, limit: number): Promise<readonly MediaFile[]>;
  /** Files after the one and up to the other, by website and id; null: without that end. */
  listBetween(after: MediaRef | null, upTo: MediaRef | null, limit: number): Promise<readonly MediaFile[]>;
  /** The file lies there now; false when somebody changed it since it was read. */
  moveTo(file: MediaFile, store: StoreName, at: Timestamp): Promise<boolean>;
  /** How many files lie in another store of the install than this one. */
  countOutside(store: ManagedStore): Promise<number>;
  /** Files of the website that are kept with the install, or in its own store; by id. */
  listKept(websiteId: WebsiteId, where: "own" | "managed", after: MediaId | null, limit: number): Promise<readonly MediaFile[]>;
  /** Files of the website by where they lie, whatever their state. */
  sums(websiteId: WebsiteId): Promise<Readonly<Record<"own" | "managed", FileSum>>>;
  /** Every store that has a file of the website. */
  storesOf(websiteId: WebsiteId): Promise<readonly StoreName[]>;
}
