import type { Website } from "#domain/website";
import { type ImageEdit, withoutRevision } from "#domain/image-edit";
import type { Media } from "#domain/media";
import { differs } from "#domain/post-life";
import { mediaIdsOf } from "#domain/media-ids";
import type { Post, PostContent, Rendering, Revision } from "#domain/post";
import type { Term } from "#domain/term";
import type { Timestamp } from "#domain/time";
import type { WebsiteId } from "#domain/ids";

/**
 * The records of an export, one JSON object a line: a manifest, the terms, the images each followed by its bytes, the
 * posts each followed by its revisions, and an end that proves nothing was cut off. Nothing names the website, so that
 * the same content is the same text wherever it lies; and nothing that can be made from the rest is written down.
 */
export const FORMAT = 1;

/** A post with the largest bodies, every character escaped, takes about 12 MiB. */
export const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** Bytes of an image in one line, before they become base64. */
export const FILE_PART_BYTES = 3 * 1024 * 1024;

export interface ManifestRecord {
  readonly type: "manifest";
  readonly format: number;
  readonly exportedAt: Timestamp;
  readonly website: Pick<Website, "name" | "settings" | "fieldDefinitions">;
  /** The address that `/media/-` stands for in the texts below, for readers who do not import them. */
  readonly mediaBase: string;
}

export type TermRecord = { readonly type: "term" } & Omit<Term, "websiteId">;

export type MediaRecord = { readonly type: "media" } & Omit<Media, "websiteId" | "metadata" | "dominantColor" | "edit"> & {
    /** Absent where there is none, as in exports of versions before. Its number belongs to the install that it came from. */
    readonly edit?: ImageEdit | undefined;
  };

/** Part of the bytes of the image before it. */
export interface FileRecord {
  readonly type: "file";
  readonly mediaId: Media["id"];
  readonly part: number;
  readonly parts: number;
  readonly data: string;
}

export interface PostRecord extends Pick<
  Post,
  | "id"
  | "version"
  | "status"
  | "working"
  | "slugFollowsTitle"
  | "pastSlugs"
  | "ownerId"
  | "createdAt"
  | "editedAt"
  | "editedBy"
  | "scheduledAt"
  | "deletedAt"
  | "review"
> {
  readonly type: "post";
  readonly live: { readonly content: PostContent; readonly publishedAt: Timestamp; readonly updatedAt: Timestamp } | null;
}

export type RevisionRecord = { readonly type: "revision" } & Omit<Revision, "websiteId">;

export const COUNTED = ["term", "media", "file", "post", "revision"] as const;
export type CountedType = (typeof COUNTED)[number];
export type Counts = Readonly<Record<CountedType, number>>;
export const noCounts = (): Record<CountedType, number> => ({ term: 0, media: 0, file: 0, post: 0, revision: 0 });

export interface EndRecord {
  readonly type: "end";
  readonly counts: Counts;
  /** Of every byte before this line, hex. */
  readonly sha256: string;
}

export type ContentRecord = TermRecord | MediaRecord | FileRecord | PostRecord | RevisionRecord;

export function termRecord({ websiteId: _, ...term }: Term): TermRecord {
  return { type: "term", ...term };
}

export function mediaRecord({ websiteId: _, metadata: __, dominantColor: ___, edit, ...media }: Media): MediaRecord {
  return { type: "media", ...media, ...(edit && { edit: withoutRevision(edit) }) };
}

export function revisionRecord({ websiteId: _, ...revision }: Revision): RevisionRecord {
  return { type: "revision", ...revision };
}

export function postRecord(post: Post): PostRecord {
  const { id, version, status, working, slugFollowsTitle, pastSlugs, ownerId, createdAt } = post;
  const { editedAt, editedBy, scheduledAt, deletedAt, review, live } = post;
  return {
    type: "post",
    id,
    version,
    status,
    working,
    live: live && { content: live.content, publishedAt: live.publishedAt, updatedAt: live.updatedAt },
    slugFollowsTitle,
    pastSlugs,
    ownerId,
    createdAt,
    editedAt,
    editedBy,
    scheduledAt,
    deletedAt,
    review,
  };
}

/** The post again. What can be derived is derived here, whatever the file says; the HTML always comes from our own renderer. */
export function postOf(record: PostRecord, websiteId: WebsiteId, rendering: Rendering | null): Post {
  const { type: _, live: shown, ...rest } = record;
  const live = shown && rendering && { ...shown, rendering, mediaIds: mediaIdsOf(shown.content) };
  return {
    ...rest,
    websiteId,
    live,
    workingMediaIds: mediaIdsOf(record.working),
    hasUnpublishedChanges: record.status === "published" && differs(live, record.working),
    pendingEvents: [],
    pendingRevision: null,
  };
}
