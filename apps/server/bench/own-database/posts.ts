import type { WebsiteId } from "#domain/ids";
import type { Services } from "#operations/kernel/services";
import { at, buildContent, buildLive, buildPost, buildRendering } from "#test/builders";
import { throughput } from "../measure.ts";

const PARAGRAPH = "What is moved is compared record by record, and only then does anybody read it from there. ";
const SAID_EVERY = 10_000;

/** Published posts in the service's own store, of a few kilobytes each. */
export async function writePosts({ contents }: Services, websiteId: WebsiteId, count: number): Promise<void> {
  await throughput(count, 8, async (n) => {
    const working = buildContent(n, { title: `A post about something, number ${n}`, body: `## A heading\n\n${PARAGRAPH.repeat(25)}\n` });
    const live = buildLive(working, { rendering: buildRendering(working) });
    const post = buildPost(n, { websiteId, working, status: "published", live, slugFollowsTitle: false });
    await contents.managed.claims.claim(websiteId, "post", { slug: working.slug, ownerId: post.id, claimedAt: at(n) });
    await contents.managed.posts.insert(post, { visible: false });
    if (n > 0 && n % SAID_EVERY === 0) process.stderr.write(`${n} of ${count} posts written\n`);
  });
}
