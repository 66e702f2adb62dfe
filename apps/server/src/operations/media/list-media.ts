import { z } from "zod";
import { decodeCursor, encodeCursor } from "#domain/cursor";
import { nameContains } from "../kernel/inputs.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { cursorShape, limitShape, type ListAnswer } from "../kernel/paging.ts";
import { type MediaView, mediaView, portraits } from "./helpers/media-view.ts";

const SORT = "-createdAt";

export const listMedia = websiteOperation({
  name: "list_media",
  summary: "List the images of a website, newest first: all, unused, without alt text, or in the trash.",
  permission: "workspace.read",
  input: {
    nameContains,
    trashed: z.boolean().default(false),
    unused: z.boolean().default(false),
    withoutAlt: z.boolean().default(false),
    ...cursorShape,
    ...limitShape,
  },
  async run(context, input): Promise<ListAnswer<MediaView>> {
    const { content, website } = context;
    const page = await content.media.list(website.id, {
      trashed: input.trashed,
      ...(input.nameContains && { nameContains: input.nameContains }),
      ...(input.withoutAlt && { withoutAlt: true }),
      ...(input.unused && { unusedExcept: await portraits(context) }),
      after: input.cursor ? decodeCursor(input.cursor, SORT) : null,
      limit: input.limit,
    });
    return { items: page.rows.map(mediaView), nextCursor: page.next && encodeCursor(SORT, page.next) };
  },
  activity: "none",
});
