import { expect } from "vitest";
import { type Actor, userActor } from "#domain/actor";
import { Failure } from "#domain/failure";
import type { PostId } from "#domain/ids";
import { slugsOf } from "#domain/post-life";
import { operations as posts } from "#operations/posts/index";
import type { TestServices } from "#test/services";

const ROUNDS = process.env.STET_SOAK ? 60 : 15;
const WRITERS = 6;
const EVENTS: Partial<Record<string, string>> = {
  publish: "post.published",
  update: "post.updated",
  unpublish: "post.unpublished",
  delete: "post.deleted",
};

/** The same choices every time, whatever order the answers come in. */
function choices(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * Six people work on three posts at the same moment, each from the version seen last. Whoever wins, afterwards every version
 * was written once, every text that was acknowledged is in the history, and the events are exactly those of the winners.
 */
export async function workConcurrently(services: TestServices, seed: number): Promise<void> {
  const tenant = await services.makeTenant();
  const websiteId = tenant.website.id;
  const content = services.contentOf({ id: websiteId });
  const people: Actor[] = [userActor(tenant.owner.id)];
  while (people.length < WRITERS) people.push(await tenant.addMember("editor"));
  const ids: PostId[] = [];
  for (const title of ["One", "Two", "Three"]) ids.push((await services.call(posts.create_post, tenant.actor, { websiteId, title })).id);

  const pick = choices(seed);
  const won: { post: PostId; version: number; did: string; body: string | null }[] = [];
  let conflicts = 0;
  for (let round = 0; round < ROUNDS; round++) {
    services.pass(1_000);
    const seen = new Map(await Promise.all(ids.map(async (id) => [id, (await content.posts.get(websiteId, id))!.version] as const)));
    const work = people.map((actor, person) => {
      const id = ids[pick(ids.length)]!;
      const target = { websiteId, postId: id, expectedVersion: seen.get(id)! };
      const body = `${round} by ${person}`;
      const slug = pick(2) === 0 ? { slug: ["shared", "wanted", "unique"][pick(3)]! } : {};
      const did = ["edit", "edit", "publish", "update", "unpublish", "delete", "restore"][pick(7)]!;
      const call =
        did === "edit"
          ? services.call(posts.edit_post, actor, { ...target, body, ...slug })
          : services.call(posts[did === "update" ? "update_live_post" : (`${did}_post` as "publish_post")], actor, target);
      return call.then(
        (post) => {
          // An update without changes answers with the version it found: it did nothing.
          if (post.version > target.expectedVersion) won.push({ post: id, version: post.version, did, body: did === "edit" ? body : null });
        },
        (error: unknown) => {
          if (!(error instanceof Failure)) throw error;
          if (error.code === "VERSION_CONFLICT") conflicts += 1;
        },
      );
    });
    await Promise.all(work);
  }

  expect(conflicts).toBeGreaterThan(0);
  const stored = await Promise.all(ids.map(async (id) => (await content.posts.get(websiteId, id))!));
  for (const post of stored) {
    const versions = won.filter((win) => win.post === post.id).map((win) => win.version);
    expect(versions.toSorted((a, b) => a - b)).toEqual(Array.from({ length: post.version - 1 }, (_, i) => i + 2));
    const history = await content.revisions.list(websiteId, post.id, { after: null, limit: 1_000 });
    for (const { version, body } of won.filter((win) => win.post === post.id && win.body !== null)) {
      const head = history.rows.find((revision) => revision.version === version);
      expect((await content.revisions.get(websiteId, post.id, head!.id))?.content.body).toBe(body);
    }
  }
  const told = (await services.platform.events.list(websiteId, 0, 10_000)).map(
    ({ event }) => `${event.postId} ${event.version} ${event.type}`,
  );
  const expected = won.filter((win) => EVENTS[win.did]).map((win) => `${win.post} ${win.version} ${EVENTS[win.did]}`);
  expect(told.toSorted()).toEqual(expected.toSorted());
  const slugs = stored.flatMap((post) => [...slugsOf(post)]);
  expect(new Set(slugs).size).toBe(slugs.length);
  const owners = await content.claims.owners(websiteId, "post", slugs);
  for (const post of stored) for (const slug of slugsOf(post)) expect([slug, owners.get(slug)]).toEqual([slug, post.id]);
}
