import { POST_SORTS, type Role } from "@stet/contract";
import { expect, test } from "vitest";
import type { Connection } from "#domain/connection";
import type { MediaId, PostId, TermId } from "#domain/ids";
import type { Post } from "#domain/post";
import { timestamp } from "#domain/time";
import { TOOLS } from "#mcp/tools";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { succeeds, undoAll } from "#test/connected-tool";
import { type Blog, openService } from "#test/delivery-api/service";
import { INPUTS } from "#test/policy/operation-inputs";
import { publishDue } from "#worker/scheduler";
import { choices, type Pick, randomToolCalls } from "./random-tool-calls.ts";

/** The promise: whatever a connected tool does to what readers see is bounded, held if the owner wishes, and undone completely. */

const SEEDS = Array.from({ length: process.env.STET_SOAK ? 40 : 2 }, (_, n) => n + 1);
const START = new Date("2026-11-15T09:00:00.000Z");
const MINUTE = 60_000;

const service = closedAtEnd(await openService());
const { services } = service;

interface World {
  readonly blog: Blog;
  readonly posts: PostId[];
  readonly terms: readonly TermId[];
  readonly image: MediaId;
  /** What each id is called, so that two websites can be compared. */
  readonly names: Map<string, string>;
  /** Where the changes begin that are compared. */
  readonly since: string;
}

/** A website on which every term and image is shown by a live post: one that nobody shows is nobody's matter. */
async function openWorld(hold: boolean): Promise<World> {
  services.now = START;
  const blog = await service.blog();
  const { tenant } = blog;
  const here = { websiteId: tenant.website.id };
  await blog.write.settings({ publicUrl: "https://example.com/blog", title: "Blog", holdToolChanges: hold });
  const terms: TermId[] = [];
  for (const kind of ["category", "tag", "tag", "author"] as const) {
    terms.push((await services.call(registry.create_term, tenant.actor, { ...here, kind, name: `A ${kind} ${terms.length}` })).id);
  }
  const image = await services.call(registry.add_media, tenant.actor, INPUTS.add_media({ ...here, workspaceId: "" }, {} as never));
  const since = (await blog.get("/blog/changes")).json.cursor as string;
  const world: World = {
    blog,
    since,
    posts: [],
    terms,
    image: image.id,
    names: new Map<string, string>([
      [here.websiteId, "website"],
      [image.id, "image"],
    ]),
  };
  terms.forEach((id, n) => world.names.set(id, `term ${n}`));
  await write(world, "Shows everything", terms, true);
  return world;
}

/** Reminders of other websites, and of what tools asked for, may come first. */
async function publishAllDue(): Promise<void> {
  while ((await publishDue(services)) > 0);
}

const target = (world: World) => ({ websiteId: world.blog.tenant.website.id });

async function write(world: World, title: string, terms: readonly TermId[], cover: boolean): Promise<PostId> {
  const of = (prefix: string) => terms.filter((id) => id.startsWith(`${prefix}_`));
  const post = await services.call(registry.create_post, world.blog.tenant.actor, {
    ...target(world),
    title,
    body: `First of ${title}.\n\nSecond of ${title}.\n\nThird of ${title}.`,
    categoryIds: of("cat"),
    tagIds: of("tag"),
    authorIds: of("author"),
    ...(cover && { coverMediaId: world.image }),
  });
  world.names.set(post.id, `post ${world.posts.length}`);
  world.posts.push(post.id);
  await services.call(registry.publish_post, world.blog.tenant.actor, { ...target(world), postId: post.id, expectedVersion: 1 });
  return post.id;
}

/** One thing that a person does, chosen by numbers alone, so that it is the same whatever a tool did in between. */
async function personActs(world: World, pick: Pick, step: number): Promise<void> {
  const { actor } = world.blog.tenant;
  const here = target(world);
  const [move, which, detail] = [pick(11), pick(1_000), pick(1_000)];
  // The first post stays, so that everything goes on being shown.
  const postId = world.posts[1 + (which % Math.max(1, world.posts.length - 1))];
  if (!postId) return void (await write(world, `Post ${step}`, world.terms, true));
  const post: Post = (await services.contentOf(world.blog.tenant.website).posts.get(here.websiteId, postId))!;
  const at = { ...here, postId, expectedVersion: post.version };
  const words = `person ${step}`;
  if (move <= 1)
    await write(
      world,
      `Post ${step}`,
      world.terms.filter((_, n) => (detail >> n) % 2 === 0),
      detail % 2 === 0,
    );
  else if (move === 2) {
    const made = await services.call(registry.create_post, actor, { ...here, title: `Later ${step}`, body: `Later of ${words}.` });
    world.names.set(made.id, `post ${world.posts.length}`);
    world.posts.push(made.id);
    const due = timestamp(services.now.getTime() + (1 + (detail % 5)) * MINUTE);
    await services.call(registry.schedule_post, actor, { ...here, postId: made.id, expectedVersion: 1, at: due });
  } else if (move <= 4) {
    await succeeds(
      services.call(registry.edit_post, actor, { ...at, excerpt: words, body: `${post.working.body.slice(0, 200)}\n\nBy ${words}.` }),
    );
  } else if (move === 5) await succeeds(services.call(registry.update_live_post, actor, at));
  else if (move === 6) await succeeds(services.call(registry.unpublish_post, actor, at));
  // A draft that was never live is the tool's to edit as well: what it holds, the person who publishes it is told.
  else if (move === 7 && post.live) await succeeds(services.call(registry.publish_post, actor, at));
  else if (move === 8) await succeeds(services.call(detail % 2 ? registry.delete_post : registry.restore_post, actor, at));
  else if (move === 9) {
    const termId = world.terms[which % world.terms.length]!;
    const { version } = await services.call(registry.get_term, actor, { ...here, termId });
    await services.call(registry.edit_term, actor, { ...here, termId, expectedVersion: version, description: words });
  } else if (move === 10) {
    const { version } = await services.call(registry.get_media, actor, { ...here, mediaId: world.image });
    await services.call(registry.edit_media, actor, {
      ...here,
      mediaId: world.image,
      expectedVersion: version,
      alt: words,
      focalPoint: { x: (detail % 11) / 10, y: 0.5 },
    });
  }
}

/** Every answer of the read API, in words that are the same for two websites with the same content. */
async function readAll({ blog, names, since }: World, withChanges: boolean): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  const take = async (path: string) => {
    const { status, text } = await blog.get(path);
    answers[named(path)] = named(`${status} ${text}`);
    return text;
  };
  const named = (text: string) => {
    let out = text;
    for (const [id, name] of names) out = out.replaceAll(id, name);
    // Settings of an image that a tool made and undo took back had a number.
    return out
      .replaceAll(/\.\d+\.png/g, ".png")
      .replaceAll(/\b(evt|rev)_[0-9a-z]{26}/g, "$1")
      .replaceAll(/"(nextCursor|latest)":"[^"]*"/g, '"$1":"…"');
  };
  for (const sort of POST_SORTS) await take(`/blog/posts?limit=100&sort=${sort}`);
  const { data } = JSON.parse(await take("/blog/posts?limit=100")) as { data: { slug: string }[] };
  for (const { slug } of data) await take(`/blog/posts/${slug}`);
  for (const path of ["categories", "tags", "authors", "media"]) await take(`/blog/${path}?limit=100`);
  for (const path of ["feed.xml", "feed.json", "sitemap.xml", "llms.txt", "search?q=post", "search?q=tool"]) await take(`/blog/${path}`);
  if (withChanges) answers.changes = named(JSON.stringify((await blog.get(`/blog/changes?limit=100&since=${since}`)).json.data));
  return answers;
}

async function connectTool(world: World, role: Role, publishPerHour: number): Promise<Connection> {
  const { tenant } = world.blog;
  const actor = role === "owner" ? tenant.actor : await tenant.addMember(role);
  const { connection } = await services.call(registry.connect_tool, actor, {
    kind: "ai",
    client: { id: "test", name: `Tool of ${role}`, host: null, redirectHost: null },
    workspaces: "all",
    allowDelete: true,
  });
  const limits = { workspaces: "all", allowDelete: true, publishPerHour } as const;
  await services.connections.change(connection.id, limits);
  return { ...connection, ...limits };
}

test.each(SEEDS)(
  "held and without a budget, no tool changes what readers see, whatever people do in between (%i)",
  async (seed) => {
    const script = async (toolsToo: boolean) => {
      const world = await openWorld(true);
      const person = choices(seed);
      const pick = choices(seed + 1_000);
      const tools = randomToolCalls(services, world.blog.tenant.website.id, pick);
      const connections = toolsToo
        ? await Promise.all((["owner", "editor", "author", "contributor"] as const).map((role) => connectTool(world, role, 0)))
        : [];
      const done = new Map<string, number>();
      for (let step = 0; step < 30; step++) {
        for (let call = 0; toolsToo && call < 5; call++) {
          const { name, done: isDone, text } = await tools.one(connections[pick(2) === 0 ? 0 : pick(4)]!);
          expect(text).not.toMatch(/^INTERNAL/);
          if (isDone) done.set(name, (done.get(name) ?? 0) + 1);
        }
        services.now = new Date(START.getTime() + (step + 1) * MINUTE);
        await publishAllDue();
        await personActs(world, person, step);
      }
      await tools.close();
      return { answers: await readAll(world, true), done, world };
    };
    const [without, withTools] = [await script(false), await script(true)];
    expect(withTools.answers).toEqual(without.answers);
    // And the tools did try: most of them got something done, and suggestions wait.
    expect(withTools.done.size).toBeGreaterThan(TOOLS.length / 2);
    const { open } = await services.call(registry.count_suggestions, withTools.world.blog.tenant.actor, target(withTools.world));
    expect(open).toBeGreaterThan(5);
  },
  120_000,
);

/** When something was changed last is not set back, and neither is its order by that. */
const withoutMoments = (answers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(answers)
      .filter(([path]) => !path.includes("updatedAt"))
      .map(([path, text]) => [
        path,
        text
          .replaceAll(/"(updatedAt|date_modified)":"[^"]*"/g, '"$1":"…"')
          // Whoever followed an address while it was there still gets on.
          .replaceAll(/"formerSlugs":\[[^\]]*\]/g, '"formerSlugs":[…]')
          .replaceAll(/<(lastmod|lastBuildDate|atom:updated)>[^<]*/g, "<$1>…"),
      ]),
  );

test.each(SEEDS)(
  "not held, and undone in any order, readers see what they saw before (%i)",
  async (seed) => {
    const world = await openWorld(false);
    const pick = choices(seed + 2_000);
    for (let step = 0; step < 12; step++) {
      services.pass(MINUTE);
      await publishAllDue();
      await personActs(world, choices(seed * 100 + step), step);
    }
    // What is due goes live first: a time that passes while a tool holds a post is told apart (undo-model.test.ts).
    services.pass(10 * MINUTE);
    await publishAllDue();
    const before = withoutMoments(await readAll(world, false));
    const { tenant } = world.blog;
    const tools = randomToolCalls(services, tenant.website.id, pick);
    const connections = [await connectTool(world, "owner", 10_000), await connectTool(world, "editor", 10_000)];
    services.pass(1_000);
    const since = timestamp(services.now);
    let changed = 0;
    for (let call = 0; call < 120; call++) {
      services.pass(10);
      const { done, text } = await tools.one(connections[pick(2)]!);
      expect(text).not.toMatch(/^INTERNAL/);
      if (done) changed += 1;
    }
    await tools.close();
    expect(changed).toBeGreaterThan(40);
    expect(withoutMoments(await readAll(world, false))).not.toEqual(before);
    // One after the other, whichever comes first; what one had changed on top of the other is free once that is undone.
    const order = pick(2) === 0 ? connections : connections.toReversed();
    let left: unknown[] = [];
    for (let round = 0; round < 40; round++) {
      services.pass(1_000);
      const runs = [];
      for (const { id } of order) runs.push(...(await undoAll(services, tenant.actor, tenant, id, since)).items);
      left = runs.filter((item) => item.left);
      if (runs.every(({ steps }) => steps.length === 0)) break;
    }
    expect(left).toEqual([]);
    expect(withoutMoments(await readAll(world, false))).toEqual(before);
  },
  120_000,
);
