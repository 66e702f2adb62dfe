import { beforeEach, describe, expect, test } from "vitest";
import type { Actor } from "#domain/actor";
import type { MediaId, PostId, TermId } from "#domain/ids";
import type { Post } from "#domain/post";
import { timestamp } from "#domain/time";
import { publishDue } from "#worker/scheduler";
import { connectTestTool } from "#test/connected-tool";
import { onBothEngines } from "#test/on-both-engines";
import { oneStore } from "#test/one-store";
import { INPUTS } from "#test/policy/operation-inputs";
import type { Tenant, TestServices } from "#test/services";
import { registry } from "../registry.ts";

const HOUR = 3_600_000;

await onBothEngines((services: TestServices) => {
  let tenant: Tenant;
  let tool: Awaited<ReturnType<typeof connectTestTool>>;
  const here = () => ({ websiteId: tenant.website.id });
  const stored = async (id: string): Promise<Post> =>
    (await services.contentOf(tenant.website).posts.get(tenant.website.id, id as PostId))!;

  beforeEach(async () => {
    tenant = await services.makeTenant();
    tool = await connectTestTool(services, tenant);
    const { version } = await services.call(registry.get_website, tenant.actor, here());
    await services.call(registry.update_website, tenant.actor, {
      ...here(),
      expectedVersion: version,
      settings: { holdToolChanges: true },
    });
  });

  const write = (more: object = {}, actor: Actor = tenant.actor) =>
    services.call(registry.create_post, actor, { ...here(), title: "Bread", body: "One.\n\nTwo.\n\nThree.", ...more });
  const publish = async (id: string, expectedVersion = 1) =>
    services.call(registry.publish_post, tenant.actor, { ...here(), postId: id, expectedVersion });
  const live = async (more: object = {}) => publish((await write(more)).id);
  const edit = (actor: Actor, id: string, expectedVersion: number, change: object) =>
    services.call(registry.edit_post, actor, { ...here(), postId: id, expectedVersion, ...change });
  const open_ = async (targetId?: string) =>
    (await services.call(registry.list_suggestions, tenant.actor, { ...here(), ...(targetId && { targetId }) })).items;
  const accept = (suggestionId: string, more: object = {}, actor: Actor = tenant.actor) =>
    services.call(registry.accept_suggestion, actor, { ...here(), suggestionId, ...more });

  test("a tool's words stand beside the working copy, whatever it does then, and go live by a person's accept alone", async () => {
    const post = await live();
    const held = await edit(tool.actor, post.id, 2, { title: "Bread, better", body: "One.\n\nTwo, better.\n\nThree." });
    expect(held).toMatchObject({ version: 2, suggestion: { fields: ["title", "body"], action: null } });
    expect((await stored(post.id)).working.title).toBe("Bread");
    // The tool reads on with its own words, changes them further, and asks to publish.
    const seen = await services.call(registry.get_post, tool.actor, { ...here(), postId: post.id });
    expect(seen).toMatchObject({ working: { title: "Bread, better" }, hasUnpublishedChanges: true });
    await edit(tool.actor, post.id, 2, { excerpt: "Short." });
    await services.call(registry.update_live_post, tool.actor, { ...here(), postId: post.id, expectedVersion: 2 });
    expect(await stored(post.id)).toMatchObject({ version: 2, working: { title: "Bread", excerpt: "" }, review: null });
    // A person's own Update brings nothing of it live.
    await edit(tenant.actor, post.id, 2, { body: "One.\n\nTwo.\n\nThree, mine." });
    await services.call(registry.update_live_post, tenant.actor, { ...here(), postId: post.id, expectedVersion: 3 });
    expect((await stored(post.id)).live?.content).toMatchObject({ title: "Bread", body: "One.\n\nTwo.\n\nThree, mine." });

    const [suggestion, ...more] = await open_(post.id);
    expect(more).toEqual([]);
    expect(suggestion).toMatchObject({ fields: ["title", "excerpt", "body"], action: { type: "publish" }, by: { id: tool.connection.id } });
    const shown = await services.call(registry.get_suggestion, tenant.actor, { ...here(), suggestionId: suggestion!.id });
    expect([shown.conflicts, shown.diff?.body.filter(({ type }) => type === "added").map(({ text }) => text)]).toEqual([[], [", better"]]);
    await expect(accept(suggestion!.id, {}, tool.actor)).rejects.toMatchObject({ code: "GRANT_FORBIDS" });
    expect(await accept(suggestion!.id)).toMatchObject({ status: "accepted", decided: { by: { id: tenant.owner.id } } });
    expect((await stored(post.id)).live?.content).toMatchObject({
      title: "Bread, better",
      excerpt: "Short.",
      body: "One.\n\nTwo, better.\n\nThree, mine.",
    });
    expect(await open_()).toEqual([]);
    await expect(accept(suggestion!.id)).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
  });

  test("rejecting leaves no trace in the text, and can be taken back", async () => {
    const post = await live();
    await edit(tool.actor, post.id, 2, { body: "Worse." });
    const before = await stored(post.id);
    const [{ id } = { id: "" }] = await open_(post.id);
    await services.call(registry.reject_suggestion, tenant.actor, { ...here(), suggestionId: id });
    expect(await stored(post.id)).toEqual(before);
    expect((await services.call(registry.get_post, tool.actor, { ...here(), postId: post.id })).working.body).toBe(before.working.body);
    await services.call(registry.reopen_suggestion, tenant.actor, { ...here(), suggestionId: id });
    expect(await open_(post.id)).toHaveLength(1);
    // What the tool takes back itself is no suggestion any more.
    await edit(tool.actor, post.id, 2, { body: before.working.body });
    expect(await open_(post.id)).toEqual([]);
  });

  test("two who changed the same paragraph: accepting refuses and names it, and then takes the version that the person chose", async () => {
    const post = await live();
    await edit(tool.actor, post.id, 2, { body: "One.\n\nTwo, the app's.\n\nThree.", excerpt: "New." });
    await edit(tenant.actor, post.id, 2, { body: "One.\n\nTwo, mine.\n\nThree." });
    const [{ id } = { id: "" }] = await open_(post.id);
    await expect(accept(id)).rejects.toMatchObject({ code: "VERSION_CONFLICT", facts: { conflicts: ["body"] } });
    expect(await stored(post.id)).toMatchObject({ version: 3, working: { excerpt: "", body: "One.\n\nTwo, mine.\n\nThree." } });
    const shown = await services.call(registry.get_suggestion, tenant.actor, { ...here(), suggestionId: id });
    expect([shown.conflicts, shown.since?.body.length]).toEqual([["body"], expect.any(Number)]);
    await expect(edit(tool.actor, post.id, 3, { title: "On top" })).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    await accept(id, { conflicts: "suggested" });
    expect(await stored(post.id)).toMatchObject({ working: { excerpt: "New.", body: "One.\n\nTwo, the app's.\n\nThree." } });
  });

  test("what the app suggests since a person looked is not accepted unseen", async () => {
    const post = await live();
    await edit(tool.actor, post.id, 2, { title: "Bread, better" });
    const [seen] = await open_(post.id);
    await edit(tool.actor, post.id, 2, { title: "Buy this" });
    await services.call(registry.update_live_post, tool.actor, { ...here(), postId: post.id, expectedVersion: 2 });
    const { id, version } = seen!;
    await expect(accept(id, { expectedVersion: version })).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    expect(await stored(post.id)).toMatchObject({ version: 2, working: { title: "Bread" } });
    await accept(id, { expectedVersion: version + 2 });
    expect((await stored(post.id)).live?.content.title).toBe("Buy this");
  });

  test("suggestions, which may hold two long texts each, are read a few at a time", async () => {
    const posts = await Promise.all(Array.from({ length: 7 }, () => live()));
    for (const { id } of posts) await edit(tool.actor, id, 2, { excerpt: "Suggested." });
    const { contents } = services;
    const { beside, ...store } = contents.managed;
    const limits: number[] = [];
    const list: typeof beside.list = (websiteId, query) => {
      limits.push(query.limit);
      return beside.list(websiteId, query);
    };
    Object.assign(services, { contents: oneStore({ ...store, beside: { ...beside, list } }) });
    const page = (cursor?: string) => services.call(registry.list_suggestions, tenant.actor, { ...here(), limit: 6, cursor });
    try {
      const first = await page();
      const second = await page(first.nextCursor!);
      const listed = [...first.items, ...second.items].map(({ targetId }) => targetId);
      expect([first.items.length, second.nextCursor]).toEqual([6, null]);
      expect(listed.toSorted()).toEqual(posts.map(({ id }) => id as string).toSorted());
      await services.call(registry.get_post, tool.actor, { ...here(), postId: posts[0]!.id });
    } finally {
      Object.assign(services, { contents });
    }
    expect(Math.max(...limits)).toBeLessThanOrEqual(5);
  });

  test("a scheduled post goes live as people left it, whatever a tool saved into it", async () => {
    const post = await write();
    const at = timestamp(services.now.getTime() + HOUR);
    await services.call(registry.schedule_post, tenant.actor, { ...here(), postId: post.id, expectedVersion: 1, at });
    expect(await edit(tool.actor, post.id, 2, { body: "The app's." })).toMatchObject({ version: 2, suggestion: { fields: ["body"] } });
    services.pass(2 * HOUR);
    await publishDue(services);
    expect((await stored(post.id)).live?.content.body).toBe("One.\n\nTwo.\n\nThree.");
    // It can still be accepted afterwards, as a change of the working copy.
    const [{ id } = { id: "" }] = await open_(post.id);
    await accept(id);
    expect(await stored(post.id)).toMatchObject({ status: "published", hasUnpublishedChanges: true, working: { body: "The app's." } });
  });

  test.each([
    ["unpublish", "unpublish_post", "unpublished"],
    ["delete", "delete_post", "deleted"],
  ] as const)("to %s a live post is a suggestion, too", async (type, name, status) => {
    const post = await live();
    const held = await services.call(registry[name], tool.actor, { ...here(), postId: post.id, expectedVersion: 2 });
    expect(held).toMatchObject({ status: "published", suggestion: { fields: [], action: { type } } });
    expect((await stored(post.id)).status).toBe("published");
    await accept((await open_(post.id))[0]!.id);
    expect((await stored(post.id)).status).toBe(status);
  });

  test("what people took down or trashed, a tool neither changes nor brings back", async () => {
    const down = await live();
    await services.call(registry.unpublish_post, tenant.actor, { ...here(), postId: down.id, expectedVersion: 2 });
    await edit(tool.actor, down.id, 3, { body: "Again." });
    await services.call(registry.publish_post, tool.actor, { ...here(), postId: down.id, expectedVersion: 3 });
    expect(await stored(down.id)).toMatchObject({ status: "unpublished", version: 3 });
    const trashed = await write();
    await services.call(registry.delete_post, tenant.actor, { ...here(), postId: trashed.id, expectedVersion: 1 });
    await services.call(registry.restore_post, tool.actor, { ...here(), postId: trashed.id, expectedVersion: 2 });
    expect((await stored(trashed.id)).status).toBe("deleted");
    await accept((await open_(trashed.id))[0]!.id);
    expect((await stored(trashed.id)).status).toBe("draft");
    await accept((await open_(down.id))[0]!.id, { onlyContent: true });
    expect(await stored(down.id)).toMatchObject({ status: "unpublished", working: { body: "Again." } });
  });

  test("a draft that was never live is edited as always", async () => {
    const post = await write({}, tool.actor);
    expect(await edit(tool.actor, post.id, 1, { title: "Mine" })).toMatchObject({ version: 2, working: { title: "Mine" } });
    expect(await open_()).toEqual([]);
  });

  test("names, biographies and alt texts that posts show wait as well; what nothing shows does not", async () => {
    const author = await services.call(registry.create_term, tenant.actor, { ...here(), kind: "author", name: "Ada" });
    const loose = await services.call(registry.create_term, tenant.actor, { ...here(), kind: "tag", name: "Loose" });
    const image = await services.call(registry.add_media, tenant.actor, INPUTS.add_media({ ...here(), workspaceId: "" }, {} as never));
    await live({ authorIds: [author.id], coverMediaId: image.id });
    const term = (id: string) => services.contentOf(tenant.website).terms.get(tenant.website.id, id as TermId);
    const change = { ...here(), termId: author.id, expectedVersion: 1 };
    expect(await services.call(registry.edit_term, tool.actor, { ...change, name: "Eve" })).toMatchObject({
      name: "Ada",
      suggestion: { fields: ["name"] },
    });
    await services.call(registry.edit_term, tool.actor, { ...change, description: "Writes." });
    const crop = { x: 0, y: 0.25, width: 1, height: 0.5 };
    await services.call(registry.edit_media, tool.actor, { ...here(), mediaId: image.id, expectedVersion: 1, alt: "Other", crop });
    await services.call(registry.delete_term, tool.actor, { ...here(), termId: loose.id });
    expect(await term(author.id)).toMatchObject({ name: "Ada", version: 1 });
    expect(await term(loose.id)).toBeNull();
    const media = () => services.contentOf(tenant.website).media.get(tenant.website.id, image.id as MediaId);
    expect(await media()).toMatchObject({ alt: "", edit: null });

    const waiting = await open_();
    expect(waiting.map(({ target, fields }) => [target, fields])).toEqual([
      ["image", ["alt", "crop"]],
      ["author", ["name", "description"]],
    ]);
    // A person renamed her meanwhile: only that name is a conflict.
    await services.call(registry.edit_term, tenant.actor, { ...change, name: "Ada L." });
    await expect(accept(waiting[1]!.id)).rejects.toMatchObject({ code: "VERSION_CONFLICT", facts: { conflicts: ["name"] } });
    await accept(waiting[1]!.id, { conflicts: "suggested" });
    expect(await term(author.id)).toMatchObject({ name: "Eve", description: "Writes.", version: 3 });
    await accept(waiting[0]!.id);
    expect(await media()).toMatchObject({ alt: "Other", edit: { revision: 1, crop } });
    await services.call(registry.delete_term, tool.actor, { ...here(), termId: author.id });
    expect(await term(author.id)).not.toBeNull();
    await accept((await open_(author.id))[0]!.id);
    expect(await term(author.id)).toBeNull();
  });

  describe("deciding", () => {
    test("an author decides about their own posts, a contributor never publishes by accepting, and neither sees others'", async () => {
      const author = await tenant.addMember("author");
      const contributor = await tenant.addMember("contributor");
      const theirs = await write({}, contributor);
      await publish(theirs.id);
      const others = await live();
      await edit(tool.actor, theirs.id, 2, { body: "The app's." });
      await services.call(registry.update_live_post, tool.actor, { ...here(), postId: theirs.id, expectedVersion: 2 });
      await edit(tool.actor, others.id, 2, { body: "The app's." });
      const [[own], [foreign]] = [await open_(theirs.id), await open_(others.id)];
      const seenBy = async (actor: Actor) => (await services.call(registry.list_suggestions, actor, here())).items.map(({ id }) => id);
      expect(await seenBy(contributor)).toEqual([own!.id]);
      expect((await seenBy(author)).toSorted()).toEqual([own!.id, foreign!.id].toSorted());
      await expect(accept(foreign!.id, {}, contributor)).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(accept(foreign!.id, {}, author)).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
      await expect(accept(own!.id, {}, contributor)).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
      expect((await stored(theirs.id)).version).toBe(2);
      await accept(own!.id, { onlyContent: true }, contributor);
      expect(await stored(theirs.id)).toMatchObject({ version: 3, hasUnpublishedChanges: true });
    });

    /** The person's process ends after what was suggested is done, and before the suggestion is marked as accepted. */
    async function acceptCutOff(id: string): Promise<void> {
      const { contents } = services;
      const { beside, ...store } = contents.managed;
      const save = () => Promise.reject(new Error("cut off"));
      Object.assign(services, { contents: oneStore({ ...store, beside: { ...beside, save } }) });
      await expect(accept(id))
        .rejects.toThrow("cut off")
        .finally(() => Object.assign(services, { contents }));
    }

    test.each([
      ["publish", "update_live_post", { status: "published", hasUnpublishedChanges: false }],
      ["schedule", "schedule_post", { status: "scheduled" }],
      ["unpublish", "unpublish_post", { status: "unpublished" }],
      ["delete", "delete_post", { status: "deleted" }],
      ["restore", "restore_post", { status: "draft" }],
    ] as const)("to %s that was cut off after the last step is accepted once more, and done once", async (type, name, outcome) => {
      const post = await live();
      let version = 2;
      const as = { schedule: "unpublish_post", restore: "delete_post" } as const;
      if (type in as) {
        const before = registry[as[type as keyof typeof as]];
        ({ version } = await services.call(before, tenant.actor, { ...here(), postId: post.id, expectedVersion: version }));
      }
      if (type !== "restore" && type !== "delete") await edit(tool.actor, post.id, version, { title: "The app's" });
      const at = timestamp(services.now.getTime() + HOUR);
      const asked = { ...here(), postId: post.id, expectedVersion: version, ...(type === "schedule" && { at }) };
      await services.call(registry[name] as never, tool.actor, asked as never);
      const [{ id } = { id: "" }] = await open_(post.id);
      await acceptCutOff(id);
      const done = await stored(post.id);
      expect(done).toMatchObject(outcome);
      await accept(id);
      expect(await open_(post.id)).toEqual([]);
      expect(await stored(post.id)).toMatchObject({ ...outcome, working: done.working, live: done.live });
    });

    test("what is gone can only be rejected, and a time that has passed is not scheduled", async () => {
      const post = await live();
      await services.call(registry.unpublish_post, tenant.actor, { ...here(), postId: post.id, expectedVersion: 2 });
      const at = timestamp(services.now.getTime() + HOUR);
      await services.call(registry.schedule_post, tool.actor, { ...here(), postId: post.id, expectedVersion: 3, at });
      const [{ id } = { id: "" }] = await open_(post.id);
      services.pass(2 * HOUR);
      await expect(accept(id)).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
      await services.call(registry.delete_post, tenant.actor, { ...here(), postId: post.id, expectedVersion: 3 });
      await expect(accept(id)).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
      await services.call(registry.purge_post, tenant.actor, { ...here(), postId: post.id, expectedVersion: 4 });
      expect(await open_()).toEqual([]);
    });
  });
});
