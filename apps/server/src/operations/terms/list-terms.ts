import { TERM_KINDS } from "@stet/contract";
import { z } from "zod";
import { decodeCursor, encodeCursor } from "#domain/cursor";
import { nameContains } from "../kernel/inputs.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { cursorShape, limitShape, type ListAnswer } from "../kernel/paging.ts";
import { sortedTerms } from "./helpers/sorted-terms.ts";
import { type TermView, withCounts } from "./helpers/term-view.ts";

export const listTerms = websiteOperation({
  name: "list_terms",
  summary: "List the categories, tags or authors of a website, with how many posts each has.",
  permission: "workspace.read",
  input: {
    kind: z.enum(TERM_KINDS),
    nameContains,
    sort: z.enum(["name", "-postCount", "-createdAt"]).default("name"),
    ...cursorShape,
    ...limitShape,
  },
  async run(context, { kind, nameContains: part, sort: wanted, cursor, limit }): Promise<ListAnswer<TermView>> {
    if (wanted !== "name") return sortedTerms(context, { kind, sort: wanted, nameContains: part, cursor, limit });
    // The kind is part of the order: a cursor of the tags says nothing about the authors.
    const sort = `name of ${kind}`;
    const page = await context.content.terms.list(context.website.id, {
      kind,
      ...(part && { nameContains: part }),
      after: cursor ? decodeCursor(cursor, sort) : null,
      limit,
    });
    return { items: await withCounts(context, page.rows), nextCursor: page.next && encodeCursor(sort, page.next) };
  },
  activity: "none",
});
