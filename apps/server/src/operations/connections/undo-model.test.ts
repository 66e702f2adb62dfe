import { expect, test } from "vitest";
import type { Actor } from "#domain/actor";
import type { PostId } from "#domain/ids";
import type { Post } from "#domain/post";
import { timestamp } from "#domain/time";
import { publishDue } from "#worker/scheduler";
import { connectTestTool, succeeds, undoAll } from "#test/connected-tool";
import { onBothEngines } from "#test/on-both-engines";
import type { TestServices } from "#test/services";
import { registry } from "../registry.ts";

const SEEDS = Array.from({ length: process.env.STET_SOAK ? 60 : 4 }, (_, i) => i + 1);
const POSTS = 6;
const ROUNDS = 60;
const MINUTE = 60_000;

function choices(seed: number): (below: number) => number {
  let state = seed * 7_919;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/**
 * A tool and a person work on the same posts in any order, the scheduler in between; then the tool's changes since some moment are
 * undone. Whatever a person did after the tool stays to the letter; whatever only the tool touched is what it was.
 */
async function workAndUndo(services: TestServices, seed: number): Promise<void> {
  const pick = choices(seed);
  const tenant = await services.makeTenant();
  const websiteId = tenant.website.id;
  const content = services.contentOf({ id: websiteId });
  const person = await tenant.addMember("editor");
  const tool = await connectTestTool(services, tenant);
  const read = async (id: PostId): Promise<Post> => (await content.posts.get(websiteId, id))!;

  const ids: PostId[] = [];
  const bodiesOfPerson = new Map<PostId, string[]>();
  /** Of each post: what it was before the tool's first change since the moment, and whether somebody else came after. */
  const first = new Map<PostId, Post | null>();
  const touchedByOthers = new Set<PostId>();
  let since: string | null = null;

  async function act(actor: Actor, round: number): Promise<void> {
    const isTool = actor.type === "tool";
    if (pick(20) === 0 || ids.length < POSTS) {
      const post = await services.call(registry.create_post, actor, { websiteId, title: `Post ${round}`, body: `${round} new` });
      ids.push(post.id);
      if (isTool && since !== null) first.set(post.id, null);
      return;
    }
    const id = ids[pick(ids.length)]!;
    const before = await read(id);
    const target = { websiteId, postId: id, expectedVersion: before.version };
    const body = `${round} by ${actor.type}`;
    const slug = pick(4) === 0 ? { slug: `slug-${pick(12)}` } : {};
    const at = timestamp(services.now.getTime() + (1 + pick(30)) * MINUTE);
    const publishedAt = pick(6) === 0 ? { publishedAt: "2020-01-01T00:00:00.000Z" } : {};
    const edit = () =>
      services.call(registry.edit_post, actor, {
        ...target,
        body,
        title: `Title ${pick(40)}`,
        ...slug,
        ...publishedAt,
        autosave: !isTool && pick(2) === 0,
      });
    const moves = [
      edit,
      edit,
      edit,
      () => services.call(registry.publish_post, actor, target),
      () => services.call(registry.publish_post, actor, target),
      () => services.call(registry.update_live_post, actor, target),
      () => services.call(registry.update_live_post, actor, target),
      () => services.call(registry.schedule_post, actor, { ...target, at }),
      () => services.call(registry.unpublish_post, actor, target),
      () => services.call(registry.delete_post, actor, target),
      () => services.call(registry.restore_post, actor, target),
      () => services.call(registry.request_review, actor, target),
    ];
    const move = moves[pick(moves.length)]!;
    if (!(await succeeds(move()))) return;
    const after = await read(id);
    if (after.version === before.version) return;
    if (!isTool && move === edit) bodiesOfPerson.set(id, [...(bodiesOfPerson.get(id) ?? []), body]);
    if (isTool && since !== null && !first.has(id)) first.set(id, before);
    if (!isTool && first.has(id)) touchedByOthers.add(id);
  }

  for (let round = 0; round < ROUNDS; round++) {
    services.pass(MINUTE);
    if (round === 20) since = timestamp(services.now);
    await publishDue(services);
    await act(pick(since === null ? 2 : 8) === 0 ? person : tool.actor, round);
  }

  services.pass(MINUTE);
  const before = new Map(await Promise.all(ids.map(async (id) => [id, await read(id)] as const)));
  const { preview, items } = await undoAll(services, tenant.actor, tenant, tool.connection.id, since!);
  expect(items.map(({ id, steps, left }) => ({ id, steps, left: left?.because }))).toEqual(
    preview.map(({ id, steps, left }) => ({ id, steps, left: left?.because })),
  );

  for (const id of ids) {
    const [was, now] = [before.get(id)!, await read(id)];
    const item = items.find((candidate) => candidate.id === id);
    if (!first.has(id)) {
      expect([now.version, item]).toEqual([was.version, undefined]);
    } else if (touchedByOthers.has(id)) {
      // Left alone to the letter, and said so.
      expect(now).toEqual(was);
      expect(item?.left?.because).toBe("changed by others");
    } else {
      expect(item?.left ?? null).toBeNull();
      expectSetBack(now, was, first.get(id)!, services, item?.keepsSlug ?? false);
      expect(now.version).toBe(item ? was.version + 1 : was.version);
    }
    // A folded autosave keeps its last text.
    const latest = bodiesOfPerson.get(id)?.at(-1);
    if (latest) expect(await textsOf(services, now)).toContain(latest);
  }
  // Whoever asks again, because an answer was lost, finds nothing left to do.
  const again = await undoAll(services, tenant.actor, tenant, tool.connection.id, since!);
  expect(again.items.filter((item) => item.steps.length > 0)).toEqual([]);
}

function expectSetBack(now: Post, was: Post, before: Post | null, services: TestServices, keepsSlug: boolean): void {
  if (!before) {
    expect(now.status).toBe("deleted");
    return;
  }
  const slug = keepsSlug ? now.working.slug : before.working.slug;
  expect(now.working).toEqual({ ...before.working, slug });
  const missed = before.status === "scheduled" && before.scheduledAt! <= timestamp(services.now);
  if (before.status === "published") {
    expect([now.status, now.live?.content, now.live?.publishedAt]).toEqual(["published", before.live!.content, before.live!.publishedAt]);
    expect(now.hasUnpublishedChanges).toBe(before.hasUnpublishedChanges);
  } else if (missed && was.status === "published") {
    expect([now.status, now.live?.content]).toEqual(["published", before.working]);
  } else if (before.status === "scheduled" && !missed) {
    expect([now.status, now.scheduledAt]).toEqual(["scheduled", before.scheduledAt]);
  } else if (before.status === "deleted") {
    expect(now.status).toBe("deleted");
  } else {
    // Whether it was live once or not, it is not now.
    expect(["draft", "unpublished"]).toContain(now.status);
  }
  if (before.status !== "deleted") expect(now.review).toEqual(before.review);
}

async function textsOf(services: TestServices, post: Post): Promise<string[]> {
  const { revisions } = services.contentOf({ id: post.websiteId });
  const { rows } = await revisions.list(post.websiteId, post.id, { after: null, limit: 1_000 });
  return Promise.all(rows.map(async ({ id }) => (await revisions.get(post.websiteId, post.id, id))!.content.body));
}

const RULE = "a tool and a person in any order: undo loses nothing of the person and sets back what only the tool touched";

await onBothEngines((services, engine) => {
  test.each(engine === "PostgreSQL" ? SEEDS : SEEDS.slice(0, 1))(`${RULE} (%i)`, (seed) => workAndUndo(services, seed), 60_000);
});
