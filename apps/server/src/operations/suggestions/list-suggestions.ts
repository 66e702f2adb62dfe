import { z } from "zod";
import { decodeCursor, encodeCursor } from "#domain/cursor";
import { websiteOperation } from "../kernel/operation.ts";
import { cursorShape, limitShape, type ListAnswer } from "../kernel/paging.ts";
import { listSuggestions as listRecords, READ_AT_ONCE } from "../kernel/suggestion-records.ts";
import { isVisibleTo, type SuggestionView, suggestionView } from "./helpers/suggestion-view.ts";

const ORDER = "-at";

export const listSuggestions = websiteOperation({
  name: "list_suggestions",
  summary: "List what connected apps suggest to change, newest first.",
  permission: "suggestion.decide",
  input: {
    ...cursorShape,
    ...limitShape,
    /** Only those for one post, term or image. */
    targetId: z
      .string()
      .regex(/^[a-z]+_[0-9a-z]{26}$/, "must be the id of a post, category, tag, author or image")
      .optional(),
    /** Also those that were decided; otherwise only those that wait. */
    decided: z.boolean().default(false),
  },
  async run(context, { cursor, limit, targetId, decided }): Promise<ListAnswer<SuggestionView>> {
    const query = { ...(targetId !== undefined && { targetId }), ...(!decided && { open: true as const }) };
    const items: SuggestionView[] = [];
    let after = cursor ? decodeCursor(cursor, ORDER) : null;
    for (let left = limit; left > 0; left -= READ_AT_ONCE) {
      const page = await listRecords(context.content, context.website.id, { ...query, after, limit: Math.min(left, READ_AT_ONCE) });
      for (const suggestion of page.rows) if (await isVisibleTo(context, suggestion)) items.push(suggestionView(suggestion));
      after = page.next;
      if (!after) break;
    }
    return { items, nextCursor: after && encodeCursor(ORDER, after) };
  },
  activity: "none",
});

export const countSuggestions = websiteOperation({
  name: "count_suggestions",
  summary: "Count the suggestions of connected apps that wait for a decision.",
  permission: "suggestion.decide",
  input: {},
  run: async ({ content, website }): Promise<{ readonly open: number }> => ({
    open: await content.beside.countOpen(website.id, "suggestion"),
  }),
  activity: "none",
});
