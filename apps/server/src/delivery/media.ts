import type { z } from "zod";
import type { publicMedia } from "@stet/contract";
import { notFound } from "#domain/failure";
import { isId } from "#domain/ids";
import type { Media } from "#domain/media";
import { type ReadContext, readRoute } from "./read-route.ts";
import { afterOf, collection, pageSize } from "./paging.ts";
import { cursor, limit, sortOf } from "./parameters.ts";
import { presentImage } from "#present/media";
import { sourceOf } from "./source-of.ts";

const NEWEST_FIRST = "-createdAt";
const sort = sortOf([NEWEST_FIRST]);

export const listMedia = readRoute({
  path: "/blog/media",
  query: { limit, cursor, sort },
  cached: true,
  async run(context, _params, query) {
    const { content, website } = context;
    const paging = { kind: "media", sort: NEWEST_FIRST } as const;
    const size = pageSize(query.limit);
    const page = await content.media.list(website.id, { onlyLive: true, after: afterOf(paging, query.cursor), limit: size });
    const data = page.rows.map((media) => presentMedia(media, context));
    return { kind: "json", value: collection(data, paging, page.next, size) };
  },
});

export const getMedia = readRoute({
  path: "/blog/media/{id}",
  query: {},
  cached: true,
  async run(context, { id }: Readonly<Record<"id", string>>) {
    const { content, website } = context;
    const media = isId("media", id) ? await content.media.get(website.id, id) : null;
    const [posts = 0] = media && !media.deletedAt ? await content.posts.countLiveByFacet(website.id, [[media.id]]) : [];
    if (!media || posts === 0) throw notFound("image in a published post");
    return { kind: "json", value: { data: presentMedia(media, context) } };
  },
});

const presentMedia = (media: Media, context: ReadContext): z.infer<typeof publicMedia> => ({
  ...presentImage(media, sourceOf(context)),
  filename: media.filename,
  contentType: media.contentType,
  bytes: media.bytes,
  createdAt: media.createdAt,
});
