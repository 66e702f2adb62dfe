import { isDeepStrictEqual } from "node:util";
import type { Post } from "#domain/post";
import { isVisibleChange } from "#domain/post-life";

/** How a change reaches readers: they see something new, now or at its time, or something is taken away from them. */
export type ReaderEffect = "publish" | "takedown";

/** The effect of a save; null: readers see and will see the same. A scheduled post is about to be seen, so its words count like published ones. */
export function readerEffect(before: Post | null, next: Post): ReaderEffect | null {
  if (next.status === "published") return isVisibleChange(before, next) ? "publish" : null;
  if (before?.status === "published") return "takedown";
  if (next.status !== "scheduled") return before?.status === "scheduled" ? "takedown" : null;
  const isSame = before?.scheduledAt === next.scheduledAt && isDeepStrictEqual(before?.working, next.working);
  return isSame ? null : "publish";
}
