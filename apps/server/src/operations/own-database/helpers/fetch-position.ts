import { z } from "zod";

/** How far fetching from a database that was left is, as it is on record. */
const schema = z.object({
  /** Which walk through everything it is at; null before the first. */
  walk: z.number().nullable().default(null),
  cursor: z.string().nullable().default(null),
  /** From which database (`copiedOf`): the cursor means nothing in another. Empty: a node of the version before was at it. */
  of: z.string().default(""),
  /** What is here now and was not before. */
  brought: z
    .object({ posts: z.number(), versions: z.number(), terms: z.number(), images: z.number() })
    .default({ posts: 0, versions: 0, terms: 0, images: 0 }),
});
export type FetchPosition = z.infer<typeof schema>;

export const fetchPosition = (position: unknown): FetchPosition => schema.parse(position);
