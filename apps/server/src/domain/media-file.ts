import type { MediaId, WebsiteId } from "#domain/ids";
import { mediaKey } from "#domain/media-address";
import type { Timestamp } from "#domain/time";

/** The stores of the install. Files of versions before the ledger lie on the disk. */
export type ManagedStore = "disk" | "s3";

/** Where files can lie: with the install, or in the own store of their website. */
export type StoreName = ManagedStore | "own";

/**
 * "expected": it has its room, and its bytes and its record may be there or not. "kept": both are there. "leaving": it is being removed.
 * The first and the last are moments of a call; where one stays, a process died, and a sweep brings it to its end.
 */
export type FileState = "expected" | "kept" | "leaving";

/** What the service itself knows of an image's file, whatever the record about the image says. */
export interface MediaFile {
  readonly websiteId: WebsiteId;
  readonly mediaId: MediaId;
  readonly contentType: string;
  readonly bytes: number;
  /** Hexadecimal. Null: nobody has read the file yet since it was taken in by a version before. */
  readonly sha256: string | null;
  readonly store: StoreName;
  readonly state: FileState;
  /** Its image is in the trash: readers do not get it. */
  readonly trashed: boolean;
  readonly changedAt: Timestamp;
}

const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["image/png", "png"],
  ["image/jpeg", "jpg"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
  ["image/avif", "avif"],
]);

/**
 * Where the bytes lie in their store. It follows from what the service made itself and is never read from a record: a record in a
 * customer's database could otherwise name, and so delete, a file of somebody else. No file has a type that we do not know.
 */
export const fileKey = (file: Pick<MediaFile, "websiteId" | "mediaId" | "contentType">): string =>
  mediaKey(file.websiteId, file.mediaId, EXTENSIONS.get(file.contentType) ?? "unknown");

/** The same of an image's record, of which only ids and type are taken. */
export const keyOfMedia = (media: { websiteId: WebsiteId; id: MediaId; contentType: string }): string =>
  fileKey({ websiteId: media.websiteId, mediaId: media.id, contentType: media.contentType });

/** Every key of a website begins with it. */
export const websitePrefix = (websiteId: WebsiteId): string => `${websiteId}/`;
