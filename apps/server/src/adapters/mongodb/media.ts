import { z } from "zod";
import { fold } from "#domain/fold";
import { isId, type MediaId, type WebsiteId } from "#domain/ids";
import { FILE_METADATA, type Media } from "#domain/media";
import { keyOfMedia } from "#domain/media-file";
import type { MediaRecords, MediaRef, ListPage } from "#ports/content-store";
import { type Context, type Stored, onlyWebsiteFilter } from "./context.ts";
import { keyOf, partsOf, websiteOf } from "./keys.ts";
import { keepShown } from "./live-posts.ts";
import { containing, readPage, sweep } from "./paging.ts";
import { actor, dateOf, moment, optional, optionalDate, parsed, text, whole } from "./schemas.ts";
import { readShownPage } from "./read-shown-page.ts";
import { removeIf, takeStamps, withIntent, writeIf } from "./writes.ts";

const stored = z.object({
  version: whole,
  url: text,
  filename: text,
  contentType: text,
  bytes: whole,
  // Absent where a node of the version before wrote it.
  metadata: z
    .enum(FILE_METADATA)
    .nullish()
    .transform((found) => found ?? "unchecked"),
  width: whole,
  height: whole,
  blurhash: optional(text),
  // Shown to readers, and the database may be a customer's: nothing but a colour.
  dominantColor: optional(z.string().regex(/^#[0-9a-f]{6}$/)).catch(null),
  alt: text,
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

/** Also what has no word about it at all. */
const unchecked = (context: Context) => ({
  ...onlyWebsiteFilter(context),
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
    const found = await media.find({ _id: { $in: keys }, gone: { $exists: false } }).toArray();
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
    delete: (websiteId, id, version) =>
      withIntent(context, websiteId, () => removeIf(context, { collection: media, websiteId, key: keyOf(websiteId, id), version })),
    list(websiteId, query) {
      const part = fold(query.nameContains ?? "");
      const page = (after: typeof query.after): Promise<ListPage<Media>> =>
        readPage(
          media,
          {
            filter: { w: websiteId, trashed: query.trashed ?? false },
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
      });
    },
    listDeletedBefore: (before, limit) =>
      sweep(
        media,
        { filter: { ...onlyWebsiteFilter(context), deletedAt: { $lt: dateOf(before) } }, sort: { deletedAt: 1, _id: 1 }, limit },
        (document) => {
          const websiteId = websiteOf(document._id);
          return websiteId && toMedia(websiteId, document);
        },
      ),
    saveFile: ({ websiteId, id }, { bytes, metadata }) =>
      withIntent(context, websiteId, async () => {
        const [stamp] = await takeStamps(context, websiteId);
        const filter = { _id: keyOf(websiteId, id), gone: { $exists: false } };
        const { matchedCount } = await media.updateOne(filter, { $set: { bytes, metadata, ...stamp } });
        return matchedCount === 1 ? "saved" : "stale";
      }),
    listAll: (after, limit) => walk({ ...onlyWebsiteFilter(context), gone: { $exists: false } }, after, limit),
    listUnchecked: (after, limit) => walk(unchecked(context), after, limit),
    async countNotStripped() {
      const unreadable = { ...onlyWebsiteFilter(context), metadata: "unreadable" };
      return { unchecked: await media.countDocuments(unchecked(context)), unreadable: await media.countDocuments(unreadable) };
    },
  };
}
