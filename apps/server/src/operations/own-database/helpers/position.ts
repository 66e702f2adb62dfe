import { z } from "zod";
import type { Website } from "#domain/website";
import type { Move } from "#domain/move";
import type { OwnDatabase } from "#domain/own-database";
import { RECORD_KINDS } from "#ports/change-feed";

const sum = z.object({ count: z.number(), sha256: z.string() });
const named = z.object({ kind: z.enum(RECORD_KINDS), id: z.string(), why: z.enum(["newer", "unknown", "unequal"]) });

/** What came of a move, for its owner. */
const reportSchema = z.object({
  comparedAt: z.string(),
  /** Per kind of record; they were the same on both sides. */
  sums: z.record(z.enum(RECORD_KINDS), sum),
  /** What keeps the two stores from being the same; the first hundred. */
  differences: z.array(named).default([]),
  /** What was in the copy with the install and no longer in the database; the first hundred. */
  removed: z.array(named).default([]),
  /** How long nobody could save when the content switched; null before. */
  pausedMillis: z.number().nullable().default(null),
  switchedAt: z.string().nullable().default(null),
});
export type ContentReport = z.infer<typeof reportSchema>;

/** As it is on record. */
const positionSchema = z.object({
  phase: z.enum(["preparing", "copying", "comparing"]).default("preparing"),
  /** Up to here the feed of the store that is copied from was followed. */
  cursor: z.string().nullable().default(null),
  /** The newest change when copying began; null where it is to be asked for. */
  upTo: z.number().nullable().default(null),
  copied: z.number().default(0),
  /** How many of those were copied before it was last begun or continued: the rate is that of the others. */
  copiedBefore: z.number().default(0),
  /** To which database, and from which epoch on: under another one the cursor means nothing. */
  of: z.string().default(""),
  report: reportSchema.nullable().default(null),
});
export type ContentPosition = z.infer<typeof positionSchema>;

export const contentPosition = (position: unknown): ContentPosition => positionSchema.parse(position);

export const copiedOf = ({ home }: Pick<Website, "home">, { shown, connectedAt }: OwnDatabase): string =>
  `${home.epoch} ${connectedAt} ${shown}`;

/** Where a move to this database goes on: where the last one was, if it was to the same. */
export function positionToGoOn(last: Move | null, website: Pick<Website, "home">, database: OwnDatabase): Partial<ContentPosition> {
  const { cursor, copied, of, report } = contentPosition(last?.position ?? {});
  return last?.direction === "out" && of === copiedOf(website, database)
    ? { phase: "copying", cursor, copied, copiedBefore: copied, of, report }
    : {};
}
