import { fail } from "#domain/failure";
import type { Post } from "#domain/post";
import { slugsOf } from "#domain/post-life";
import { transition } from "#domain/transitions";
import type { ContentStore } from "#ports/content-store";
import { expectedVersion } from "../kernel/inputs.ts";
import { postOperation } from "../kernel/operation.ts";
import { READ_AT_ONCE } from "../kernel/suggestion-records.ts";
import { settlePost } from "./helpers/settle-post.ts";
import { requireVersion } from "./helpers/store-post.ts";

/** Removes a post in the trash for good, with its history. The slugs become free. */
export const purgePost = postOperation({
  name: "purge_post",
  summary: "Permanently delete a post in the trash, with its history.",
  permission: "post.purge",
  input: { expectedVersion },
  async run({ post, content, services }, input): Promise<{ id: Post["id"] }> {
    requireVersion(post, input.expectedVersion);
    transition(post.status, "purge");
    // Its last event may still wait inside it.
    await settlePost(services, content, post);
    await purge(content, post);
    return { id: post.id };
  },
  changes: "nothing",
  activity: ({ post }) => ({ target: { id: post.id, label: post.working.title } }),
});

/** The post goes before its slugs: a crash in between leaves claims that the sweep frees, never a post without its slug. */
async function purge(content: ContentStore, post: Post): Promise<void> {
  if ((await content.posts.purge(post.websiteId, post.id, post.version)) === "stale") {
    throw fail("VERSION_CONFLICT", "Someone else changed the post. Nothing was deleted.", { currentVersion: null });
  }
  for (const slug of slugsOf(post)) await content.claims.release(post.websiteId, "post", slug, post.id);
  await removeSuggestionsOf(content, post);
}

/** A customer's database may answer that it has removed what it keeps: no purge goes on for ever. */
const MOST_ROUNDS = 1_000;

/** Those to it go with it; one that a crash leaves says that its post is gone. */
async function removeSuggestionsOf({ beside }: ContentStore, { websiteId, id: targetId }: Post): Promise<void> {
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const { rows } = await beside.list(websiteId, { kind: "suggestion", targetId, after: null, limit: READ_AT_ONCE });
    if (rows.length === 0) return;
    await beside.delete(
      websiteId,
      rows.map(({ id }) => id),
    );
  }
}
