import { isContentMoved } from "#domain/content-home";
import { Failure } from "#domain/failure";
import type { ContentStore } from "#ports/content-store";

type Method = (...args: unknown[]) => Promise<unknown>;

/**
 * Our own store, for work with a customer's database. What keeps ours from answering leaves as a plain error: as a failure of a content store
 * it would be taken for one of theirs, which is then left alone, and whose owner is told that it is away.
 */
export function ourSide(content: ContentStore): ContentStore {
  const parts = Object.entries(content as unknown as Record<string, Method | Record<string, Method>>).map(([name, part]) => [
    name,
    typeof part === "function" ? plainly(part) : Object.fromEntries(Object.entries(part).map(([method, work]) => [method, plainly(work)])),
  ]);
  return Object.fromEntries(parts) as ContentStore;
}

const plainly =
  (method: Method): Method =>
  async (...args) => {
    try {
      return await method(...args);
    } catch (error) {
      // Whoever moves content has to know that it has moved already.
      if (!(error instanceof Failure) || error.code !== "CONTENT_STORE_UNAVAILABLE" || isContentMoved(error)) throw error;
      throw new Error("The install's own content store did not do what a move asked of it.", { cause: error });
    }
  };
