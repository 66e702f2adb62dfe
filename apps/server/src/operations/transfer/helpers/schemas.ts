import { LIMITS, POST_STATUSES, TERM_KINDS } from "@stet/contract";
import { z } from "zod";
import type { ActorRef } from "#domain/actor";
import { editInput } from "#domain/image-edit";
import { isId, type MediaId, type PostId, type RevisionId, type UserId } from "#domain/ids";
import { REVISION_KINDS } from "#domain/post";
import { isTimestamp, type Timestamp } from "#domain/time";
import { httpUrl, lineOf, nameOf, textOf } from "../../kernel/inputs.ts";
import { idOf } from "../../kernel/operation.ts";
import { filenameInput } from "../../media/helpers/media-input.ts";
import { contentShape, wholeContent } from "../../posts/helpers/content-input.ts";
import { slugInput, termId } from "../../terms/helpers/term-input.ts";
import { COUNTED, FILE_PART_BYTES } from "./records.ts";

/** Lines of an export as they may come from anywhere. Every object is closed: a name we do not know is refused, not carried along. */

const MAX_PAST_SLUGS = 1_000;

// PostgreSQL has no year 0.
const time = z.custom<Timestamp>((value) => typeof value === "string" && isTimestamp(value) && value >= "0001", {
  error: "must look like 2026-11-15T09:30:00.000Z",
});
/** Nobody saves so often; the store has numbers for a billion saves more. */
const MAX_VERSION = 1_000_000_000;
const version = z.int().positive().max(MAX_VERSION, `must not be over ${MAX_VERSION}`);
const pastSlugs = z
  .array(slugInput)
  .max(MAX_PAST_SLUGS)
  .refine((slugs) => new Set(slugs).size === slugs.length, "must not repeat one");

const actor: z.ZodType<ActorRef> = z.strictObject({
  type: z.enum(["user", "tool", "system"]),
  id: nameOf(200),
  userId: idOf<UserId>("user").nullable(),
});

const fields = contentShape.fields
  .unwrap()
  .refine((value) => Buffer.byteLength(JSON.stringify(value)) <= LIMITS.fieldsBytes, `must not be over ${LIMITS.fieldsBytes / 1024} KiB`);

const content = wholeContent.extend({ fields, publishedAt: time.nullable() });

export const manifestLine = z.strictObject({
  type: z.literal("manifest"),
  format: z.int(),
  exportedAt: time,
  // Read only where it is used: the definitions are checked by the operation that sets them.
  website: z.strictObject({ name: nameOf(), settings: z.record(z.string(), z.unknown()), fieldDefinitions: z.array(z.unknown()) }),
  mediaBase: z.string(),
});

export const termLine = z
  .strictObject({
    type: z.literal("term"),
    id: termId,
    kind: z.enum(TERM_KINDS),
    version,
    slug: slugInput,
    name: nameOf(),
    description: textOf(2_000),
    profile: z
      .strictObject({ url: httpUrl.nullable(), avatarMediaId: idOf<MediaId>("media").nullable(), userId: idOf<UserId>("user").nullable() })
      .nullable(),
    pastSlugs,
    mergedInto: termId.nullable(),
    createdAt: time,
    updatedAt: time,
  })
  .refine(({ id, kind }) => isId(kind, id), { path: ["id"], error: "must be an id of its kind" })
  .refine(({ mergedInto, kind }) => mergedInto === null || isId(kind, mergedInto), {
    path: ["mergedInto"],
    error: "must be of the same kind",
  })
  .refine(({ profile, kind }) => (profile !== null) === (kind === "author"), {
    path: ["profile"],
    error: "is what authors have, and only they",
  });

export const mediaLine = z.strictObject({
  type: z.literal("media"),
  id: idOf<MediaId>("media"),
  version,
  url: z.string().max(500),
  filename: filenameInput,
  contentType: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]),
  bytes: z
    .int()
    .min(0)
    .max(2 ** 31),
  width: z
    .int()
    .positive()
    .max(2 ** 31 - 1),
  height: z
    .int()
    .positive()
    .max(2 ** 31 - 1),
  blurhash: lineOf(120).nullable(),
  alt: lineOf(500),
  edit: editInput.optional(),
  createdAt: time,
  createdBy: actor,
  updatedAt: time,
  deletedAt: time.nullable(),
});

export const fileLine = z.strictObject({
  type: z.literal("file"),
  mediaId: idOf<MediaId>("media"),
  part: z.int().min(0),
  parts: z.int().min(1).max(16),
  data: z.base64().max(Math.ceil(FILE_PART_BYTES / 3) * 4),
});

export const postLine = z
  .strictObject({
    type: z.literal("post"),
    id: idOf<PostId>("post"),
    version,
    status: z.enum(POST_STATUSES),
    working: content,
    live: z.strictObject({ content, publishedAt: time, updatedAt: time }).nullable(),
    slugFollowsTitle: z.boolean(),
    pastSlugs,
    ownerId: idOf<UserId>("user").nullable(),
    createdAt: time,
    editedAt: time,
    editedBy: actor,
    scheduledAt: time.nullable(),
    deletedAt: time.nullable(),
    review: z.strictObject({ requestedBy: actor, requestedAt: time, note: textOf(5_000) }).nullable(),
  })
  .refine(({ status, live }) => live !== null || (status !== "published" && status !== "unpublished"), {
    path: ["live"],
    error: "is missing",
  })
  .refine(({ status, scheduledAt }) => (scheduledAt !== null) === (status === "scheduled"), {
    path: ["scheduledAt"],
    error: "does not fit the status",
  })
  .refine(({ status, deletedAt }) => (deletedAt !== null) === (status === "deleted"), {
    path: ["deletedAt"],
    error: "does not fit the status",
  });

export const revisionLine = z.strictObject({
  type: z.literal("revision"),
  id: idOf<RevisionId>("revision"),
  postId: idOf<PostId>("post"),
  kind: z.enum(REVISION_KINDS),
  version,
  author: actor,
  startedAt: time,
  at: time,
  wasLive: z.boolean(),
  content,
});

const counts = z.strictObject(
  Object.fromEntries(COUNTED.map((type) => [type, z.int().min(0)])) as Record<(typeof COUNTED)[number], z.ZodInt>,
);
export const endLine = z.strictObject({ type: z.literal("end"), counts, sha256: z.string().regex(/^[0-9a-f]{64}$/) });
