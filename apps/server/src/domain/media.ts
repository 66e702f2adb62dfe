import type { ActorRef } from "#domain/actor";
import type { MediaId, WebsiteId } from "#domain/ids";
import type { NumberedEdit } from "#domain/image-edit";
import type { Timestamp } from "#domain/time";

/**
 * Whether its file says more than its pixels, such as where a photo was taken. "unchecked": it was taken in before files were stripped.
 * "unreadable": it cannot be followed to its end, and was left as it is.
 */
export const FILE_METADATA = ["unchecked", "stripped", "unreadable"] as const;
export type FileMetadata = (typeof FILE_METADATA)[number];

/** The record about an image. Where its bytes lie is none of it (domain/media-file). */
export interface Media {
  readonly id: MediaId;
  readonly websiteId: WebsiteId;
  readonly version: number;
  /** Where a reader gets it: absolute, or from the root of this service. */
  readonly url: string;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly metadata: FileMetadata;
  readonly width: number;
  readonly height: number;
  readonly blurhash: string | null;
  /** Such as `#a1b2c3`; null where the image was taken in before it was read. */
  readonly dominantColor: string | null;
  readonly alt: string;
  /** How it is shown; null: as it was uploaded. */
  readonly edit: NumberedEdit | null;
  readonly createdAt: Timestamp;
  readonly createdBy: ActorRef;
  readonly updatedAt: Timestamp;
  /** In the trash since; the bytes go with the purge. */
  readonly deletedAt: Timestamp | null;
}
