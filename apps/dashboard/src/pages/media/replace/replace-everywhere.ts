import { rpc } from "../../../api/rpc.ts";
import type { Output } from "../../../api/wire.ts";

type Step = Output<"replace_media">;

export interface Replacement {
  readonly websiteId: string;
  readonly mediaId: string;
  readonly byMediaId: string;
  readonly posts: Step["posts"];
  readonly authors: Step["authors"];
  readonly skipped: Step["skipped"];
}

/** The server changes some posts a call; this goes on until it is through, and tells how many it has changed. */
export async function replaceEverywhere(
  ids: Pick<Replacement, "websiteId" | "mediaId" | "byMediaId">,
  onProgress: (posts: number) => void,
): Promise<Replacement> {
  let done: Replacement = { ...ids, posts: [], authors: [], skipped: [] };
  let next: Step["next"] = { phase: "posts", cursor: null };
  while (next) {
    const { phase, cursor }: NonNullable<Step["next"]> = next;
    const step: Step = await rpc("replace_media", { ...ids, phase, ...(cursor !== null && { cursor }) });
    done = {
      ...ids,
      posts: [...done.posts, ...step.posts],
      authors: [...done.authors, ...step.authors],
      skipped: [...done.skipped, ...step.skipped],
    };
    next = step.next;
    onProgress(done.posts.length);
  }
  return done;
}

/** As many posts as one call takes. */
const STEP = 20;

/** Puts the old image back where the new one took its place. Posts that showed both before stay: their history has the version before. */
export async function undoReplacement({ websiteId, mediaId, byMediaId, posts, authors }: Replacement): Promise<{ left: number }> {
  const postIds = posts.filter(({ hadBoth }) => !hadBoth).map(({ id }) => id);
  let left = posts.length - postIds.length;
  for (let first = 0; first < Math.max(1, postIds.length); first += STEP) {
    const only = { postIds: postIds.slice(first, first + STEP), authorIds: authors.map(({ id }) => id) };
    left += (await rpc("replace_media", { websiteId, mediaId: byMediaId, byMediaId: mediaId, only })).skipped.length;
  }
  return { left };
}
