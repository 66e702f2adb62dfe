import { LIMITS } from "@stet/contract";
import { z } from "zod";

/** Lists of the dashboard and of tools page as the public API does: an opaque cursor, a limit that is never clamped. */
export const limitShape = { limit: z.int().min(1).max(LIMITS.pageSizeMax).default(LIMITS.pageSizeDefault) };
export const cursorShape = { cursor: z.string().max(2_000).optional() };

export interface ListAnswer<Item> {
  readonly items: readonly Item[];
  /** Null on the last page, and on no other: a page of a search can be empty and have one. */
  readonly nextCursor: string | null;
}
