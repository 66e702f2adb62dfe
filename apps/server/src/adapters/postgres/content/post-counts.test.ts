import { expect, test } from "vitest";
import { Failure } from "#domain/failure";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices } from "#test/services";

const services = closedAtEnd(await openTestServices());

test("the counts of the tabs stay true while many change the posts of a website at once, and nobody waits for ever", async () => {
  const { actor, website } = await services.makeTenant();
  const here = { websiteId: website.id };
  const posts = await Promise.all(
    Array.from({ length: 8 }, (_, index) => services.call(registry.create_post, actor, { ...here, title: `Post ${index}` })),
  );
  const moves = ["publish_post", "unpublish_post", "delete_post", "restore_post", "publish_post", "delete_post", "purge_post"] as const;
  const walk = async (start: number) => {
    for (let step = 0; step < 24; step++) {
      const postId = posts[(start + step * 3) % posts.length]!.id;
      try {
        const { version } = await services.call(registry.get_post, actor, { ...here, postId });
        await services.call(registry[moves[(start + step) % moves.length]!], actor, { ...here, postId, expectedVersion: version });
      } catch (error) {
        // Somebody was first, it is gone, or it cannot be done from this state.
        if (!(error instanceof Failure) || !/^(?:VERSION_CONFLICT|NOT_FOUND|INVALID_TRANSITION)$/.test(error.code)) throw error;
      }
    }
  };
  await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(walk));

  const counted = await services.database.query<{ status: string; posts: number }>({
    text: "SELECT status, posts FROM post_counts WHERE website_id = $1 AND posts <> 0 ORDER BY status",
    values: [website.id],
  });
  const there = await services.database.query<{ status: string; posts: number }>({
    text: "SELECT status, count(*) AS posts FROM posts WHERE website_id = $1 GROUP BY status ORDER BY status",
    values: [website.id],
  });
  expect(counted.rows).toEqual(there.rows);
});
