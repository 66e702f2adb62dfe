import { z } from "zod";
import { fold } from "#domain/fold";
import { readEdit } from "#domain/image-edit";
import { isId, type MediaId, type WebsiteId } from "#domain/ids";
import { FILE_METADATA, type Media } from "#domain/media";
import { keyOfMedia } from "#domain/media-file";
import type { ListPage } from "#ports/list-page";
import type { MediaRecords, MediaRef } from "#ports/media-records";
import { type Context, type Stored, sweptWebsites } from "./context.ts";
import { keyOf, partsOf, websiteOf } from "./keys.ts";
import { keepShown } from "./live-posts.ts";
import { containing, readPage, sweep } from "./paging.ts";
import { actor, bytes, dateOf, line, moment, optional, optionalDate, parsed, whole } from "./schemas.ts";
import { readShownPage } from "./read-shown-page.ts";
import { removeIf, takeStamps, withIntent, writeIf, writeIfNewer } from "./writes.ts";
import { allDocuments } from "./read-documents.ts";

const stored = z.object({
  version: whole,
  url: line,
  filename: line,
  // What is served under our own address has one of the types that we take in.
  contentType: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"]),
  bytes,
  // Absent where a node of the version before wrote it.
  metadata: z
    .enum(FILE_METADATA)
    .nullish()
    .transform((found) => found ?? "unchecked"),
  width: whole,
  height: whole,
  blurhash: optional(line),
  // Shown to readers, and the database may be a customer's: nothing but a colour.
  dominantColor: optional(z.string().regex(/^#[0-9a-f]{6}$/)).catch(null),
  alt: line,
  // Absent where a node of the version before wrote it.
  edit: z.unknown().optional().transform(readEdit),
  createdAt: moment,
  createdBy: actor,
  updatedAt: moment,
  deletedAt: optional(moment),
});

function toDocument({ id, websiteId, ...media }: Media): Record<string, unknown> {
  return {
    ...media,
    // Nodes of the version before read it; we never do.
    storageKey: keyOfMedia({ id, websiteId, contentType: media.contentType }),
    w: websiteId,
    trashed: media.deletedAt !== null,
    nameKey: fold(media.filename),
    createdAt: dateOf(media.createdAt),
    updatedAt: dateOf(media.updatedAt),
    deletedAt: optionalDate(media.deletedAt),
  };
}

function idIn(websiteId: WebsiteId, document: Stored): MediaId | null {
  const [id = "", ...more] = partsOf(websiteId, document._id) ?? [];
  return more.length === 0 && isId("media", id) ? id : null;
}

/** Images that one page of unused ones looks at. */
const MOST_LOOKED_AT = 1_000;

/** Also what has no word about it at all. */
const unchecked = async (context: Context) => ({
  ...(await sweptWebsites(context)),
  metadata: { $in: [null, "unchecked"] },
  gone: { $exists: false },
});

export function mongoMedia(context: Context): MediaRecords {
  const { media } = context;
  const toMedia = (websiteId: WebsiteId, document: Stored): Media | null => {
    const id = idIn(websiteId, document);
    const found = parsed(context, "media", document, () => (id ? stored.safeParse(document) : null));
    return id && found ? { ...found, id, websiteId } : null;
  };
  const write = (image: Media, expected: { version: number } | null) =>
    withIntent(context, image.websiteId, () =>
      writeIf(context, {
        collection: media,
        websiteId: image.websiteId,
        key: keyOf(image.websiteId, image.id),
        expected,
        document: toDocument(image),
      }),
    );
  const getMany: MediaRecords["getMany"] = async (websiteId, ids) => {
    const keys = [...new Set(ids)].map((id) => keyOf(websiteId, id));
    if (keys.length === 0) return [];
    const found = await allDocuments(media.find({ _id: { $in: keys }, w: websiteId, gone: { $exists: false } }), keys.length);
    return found.map((document) => toMedia(websiteId, document)).filter((image) => image !== null);
  };
  const walk = (filter: Record<string, unknown>, after: MediaRef | null, limit: number) =>
    sweep(
      media,
      { filter: { ...filter, ...(after && { _id: { $gt: keyOf(after.websiteId, after.id) } }) }, sort: { _id: 1 }, limit },
      (document) => {
        const websiteId = websiteOf(document._id);
        return websiteId && toMedia(websiteId, document);
      },
    );
  const keepUnused = async (rows: readonly Media[]): Promise<Media[]> => {
    const used = await Promise.all(
      rows.map(({ websiteId, id }) =>
        context.posts.findOne({ w: websiteId, $or: [{ workingFacets: id }, { liveFacets: id }] }, { projection: { _id: 1 } }),
      ),
    );
    return rows.filter((_, index) => !used[index]);
  };
  return {
    async get(websiteId, id) {
      return (await getMany(websiteId, [id]))[0] ?? null;
    },
    getMany,
    insert: (image) => write(image, null),
    save: (image) => write(image, { version: image.version - 1 }),
    putIfNewer: (image) =>
      writeIfNewer(
        context,
        { collection: media, websiteId: image.websiteId, key: keyOf(image.websiteId, image.id), document: toDocument(image) },
        image.version,
      ),
    delete: (websiteId, id, version) =>
      withIntent(context, websiteId, () => removeIf(context, { collection: media, websiteId, key: keyOf(websiteId, id), version })),
    list(websiteId, query) {
      const part = fold(query.nameContains ?? "");
      const page = (after: typeof query.after): Promise<ListPage<Media>> =>
        readPage(
          media,
          {
            filter: { w: websiteId, trashed: query.trashed ?? false, ...(query.withoutAlt && { alt: "" }) },
            conditions: part === "" ? [] : [{ nameKey: containing(part) }],
            order: { field: "createdAt", type: "moment", descending: true },
            prefix: `${websiteId}/`,
            after,
            limit: query.limit,
          },
          (document) => toMedia(websiteId, document),
        );
      const { onlyLive, unusedExcept } = query;
      if (!onlyLive && !unusedExcept) return page(query.after);
      const keep = async (rows: readonly Media[]) => {
        const kept = onlyLive ? await keepShown(context, websiteId, rows, (image) => [image.id]) : rows;
        return unusedExcept ? keepUnused(kept.filter((image) => !unusedExcept.includes(image.id))) : [...kept];
      };
      return readShownPage({
        page,
        keep,
        afterRow: (image) => ({ key: image.createdAt, id: image.id }),
        after: query.after,
        limit: query.limit,
        ...(unusedExcept && { mostRows: MOST_LOOKED_AT }),
      });
    },
    listDeletedBefore: async (before, limit) =>
      sweep(
        media,
        { filter: { ...(await sweptWebsites(context)), deletedAt: { $lt: dateOf(before) } }, sort: { deletedAt: 1, _id: 1 }, limit },
        (document) => {
          const websiteId = websiteOf(document._id);
          return websiteId && toMedia(websiteId, document);
        },
      ),
    saveFile: ({ websiteId, id }, file) =>
      withIntent(context, websiteId, async () => {
        const [stamp] = await takeStamps(context, websiteId);
        const filter = { _id: keyOf(websiteId, id), w: websiteId, gone: { $exists: false } };
        const { matchedCount } = await media.updateOne(filter, { $set: { bytes: file.bytes, metadata: file.metadata, ...stamp } });
        return matchedCount === 1 ? "saved" : "stale";
      }),
    listAll: async (after, limit) => walk({ ...(await sweptWebsites(context)), gone: { $exists: false } }, after, limit),
    listUnchecked: async (after, limit) => walk(await unchecked(context), after, limit),
    async countNotStripped() {
      const unreadable = { ...(await sweptWebsites(context)), metadata: "unreadable" };
      return { unchecked: await media.countDocuments(await unchecked(context)), unreadable: await media.countDocuments(unreadable) };
    },
  };
}
