import type { MediaId, WebsiteId } from "#domain/ids";
import type { FileMetadata, Media } from "#domain/media";
import type { Timestamp } from "#domain/time";
import type { After, ListPage } from "#ports/list-page";
import type { SaveResult } from "#ports/save-result";

export interface MediaListQuery {
  readonly nameContains?: string;
  readonly trashed?: boolean;
  /** Only images that a published post shows. */
  readonly onlyLive?: boolean;
  /** Only images without an alt text. */
  readonly withoutAlt?: true;
  /**
   * Only images that no post shows, be it in the trash, and that are none of these. Each is asked for, so one page looks at a thousand images at
   * most: it may have few rows or none, and go on after them.
   */
  readonly unusedExcept?: readonly MediaId[];
  /** Newest first, then id descending. */
  readonly after: After | null;
  readonly limit: number;
}

export interface MediaRecords {
  get(websiteId: WebsiteId, id: MediaId): Promise<Media | null>;
  getMany(websiteId: WebsiteId, ids: readonly MediaId[]): Promise<readonly Media[]>;
  insert(media: Media): Promise<SaveResult>;
  save(media: Media): Promise<SaveResult>;
  /** As for posts. */
  putIfNewer(media: Media): Promise<SaveResult>;
  delete(websiteId: WebsiteId, id: MediaId, version: number): Promise<SaveResult>;
  list(websiteId: WebsiteId, query: MediaListQuery): Promise<ListPage<Media>>;
  listDeletedBefore(before: Timestamp, limit: number): Promise<readonly Media[]>;
  /**
   * Replaces only what is known of the file, whatever the version is, and leaves that as it is: nobody edited the image. Raises the
   * content version. "stale" when it is gone.
   */
  saveFile(ref: MediaRef, file: { readonly bytes: number; readonly metadata: FileMetadata }): Promise<SaveResult>;
  /** All images of all websites, the trash included, walked by website and id. */
  listAll(after: MediaRef | null, limit: number): Promise<readonly Media[]>;
  /** Images whose file is "unchecked", the trash included, walked by website and id, for the sweep that strips them. */
  listUnchecked(after: MediaRef | null, limit: number): Promise<readonly Media[]>;
  /** How many images of all websites are not "stripped". */
  countNotStripped(): Promise<{ readonly unchecked: number; readonly unreadable: number }>;
}

export interface MediaRef {
  readonly websiteId: WebsiteId;
  readonly id: MediaId;
}
