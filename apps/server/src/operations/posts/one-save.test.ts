import { expect, test } from "vitest";
import type { PostId } from "#domain/ids";
import { connectTestTool } from "#test/connected-tool";
import { onBothEngines } from "#test/on-both-engines";
import { registry } from "../registry.ts";

await onBothEngines((services, engine) => {
  async function openTenant() {
    const tenant = await services.makeTenant();
    const here = { websiteId: tenant.website.id };
    const create = (title: string, actor = tenant.actor) => services.call(registry.create_post, actor, { ...here, title, body: "Text." });
    return {
      tenant,
      here,
      create,
      read: (id: PostId) => services.contentOf(tenant.website).posts.get(tenant.website.id, id),
      events: async () =>
        (await services.platform.events.list(tenant.website.id, 0, 100)).map(({ sequence, event }) => [sequence, event.type]),
      lines: async () => {
        const { items } = await services.call(registry.list_activity, tenant.actor, { workspaceId: tenant.workspace.id });
        return items.filter(({ action }) => action.endsWith("_post")).map(({ action, count, target }) => [action, target?.label, count]);
      },
    };
  }

  test("a save has its revision, its event, its line and what undo stands on, and nothing is pending", async () => {
    const { tenant, here, create, read, events, lines } = await openTenant();
    const { actor } = await connectTestTool(services, tenant);
    const { id: postId } = await create("By a tool", actor);
    for (const version of [1, 2])
      await services.call(registry.edit_post, actor, { ...here, postId, expectedVersion: version, body: `${version}`, autosave: true });
    await services.call(registry.publish_post, tenant.actor, { ...here, postId, expectedVersion: 3 });
    await services.call(registry.unpublish_post, tenant.actor, { ...here, postId, expectedVersion: 4 });
    expect(await read(postId)).toMatchObject({ version: 5, pendingEvents: [], pendingRevision: null });
    const { items } = await services.call(registry.list_revisions, tenant.actor, { ...here, postId });
    expect(items.map(({ kind, version }) => [kind, version])).toEqual([
      ["publish", 4],
      ["autosave", 3],
      ["save", 1],
    ]);
    expect(await events()).toEqual([
      [1, "post.published"],
      [2, "post.unpublished"],
    ]);
    expect((await lines()).toSorted()).toEqual([
      ["create_post", "By a tool", 1],
      ["edit_post", "By a tool", 2],
      ["publish_post", "By a tool", 1],
      ["unpublish_post", "By a tool", 1],
    ]);
    const saves = await services.connections.saves.listOf(here.websiteId, postId);
    expect(saves.map(({ version, saved, state }) => [version, saved, state?.status])).toEqual([
      [0, true, undefined],
      [1, true, "draft"],
      [2, true, "draft"],
    ]);
  });

  test("posts that are created at once with one title have a slug each, and a line each", async () => {
    const { create, lines } = await openTenant();
    const made = await Promise.all(Array.from({ length: 8 }, () => create("The same")));
    expect(made.map(({ working }) => working.slug).toSorted()).toEqual(
      ["the-same", ...Array.from({ length: 7 }, (_, n) => `the-same-${n + 2}`)].toSorted(),
    );
    expect(await lines()).toHaveLength(8);
  });

  test("of edits that are made at once one is saved, and the log has one line of it", async () => {
    const { tenant, here, create, read, lines } = await openTenant();
    const { id: postId } = await create("Contested");
    const edits = Array.from({ length: 6 }, (_, n) =>
      services.call(registry.edit_post, tenant.actor, { ...here, postId, expectedVersion: 1, title: `Edit ${n}` }),
    );
    const results = await Promise.allSettled(edits);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "VERSION_CONFLICT" });
    expect((await read(postId))?.version).toBe(2);
    expect((await lines()).filter(([action]) => action === "edit_post")).toHaveLength(1);
  });

  if (engine !== "PostgreSQL") return;

  test("everything that a save concerns is written by one transaction", async () => {
    const { tenant, here, create } = await openTenant();
    const { actor } = await connectTestTool(services, tenant);
    const writers = async (postId: string) => {
      const { rows } = await services.database.query<{ what: string; xmin: string }>({
        text: `SELECT 'post' AS what, xmin::text FROM posts WHERE id = $1
          UNION ALL SELECT 'slug', xmin::text FROM slug_claims WHERE owner_id = $1
          UNION ALL SELECT 'revision', max(xmin::text::bigint)::text FROM revisions WHERE post_id = $1
          UNION ALL SELECT 'event', xmin::text FROM events WHERE event ->> 'postId' = $1
          UNION ALL SELECT 'line', max(xmin::text::bigint)::text FROM activity WHERE target_id = $1
          UNION ALL SELECT 'tool save', max(xmin::text::bigint)::text FROM tool_saves WHERE post_id = $1`,
        values: [postId],
      });
      const [post] = rows.filter(({ what }) => what === "post");
      return rows.filter(({ xmin }) => xmin === post!.xmin).map(({ what }) => what);
    };
    const { id: postId } = await create("In one", actor);
    expect(await writers(postId)).toEqual(["post", "slug", "revision", "line", "tool save"]);
    await services.call(registry.edit_post, actor, { ...here, postId, expectedVersion: 1, title: "Renamed", autosave: true });
    // The slug from before is marked, for the sweep that looks whether anybody still needs it.
    expect(await writers(postId)).toEqual(["post", "slug", "slug", "revision", "line", "tool save"]);
    await services.call(registry.publish_post, tenant.actor, { ...here, postId, expectedVersion: 2 });
    expect(await writers(postId)).toEqual(["post", "revision", "event", "line"]);
  });

  test("a save of which one part cannot be written leaves nothing", async () => {
    const { tenant, here, create, read, events, lines } = await openTenant();
    const { id: postId } = await create("Whole");
    const constrain = (text: string) => services.database.query({ text: `ALTER TABLE activity ${text}` });
    await constrain("ADD CONSTRAINT nobody CHECK (action <> 'publish_post' AND target_label <> 'Refused') NOT VALID");
    const publish = () => services.call(registry.publish_post, tenant.actor, { ...here, postId, expectedVersion: 1 });
    await expect(publish()).rejects.toThrow("nobody");
    await expect(create("Refused")).rejects.toThrow("nobody");
    const before = await read(postId);
    await constrain("DROP CONSTRAINT nobody");
    expect(before).toMatchObject({ version: 1, status: "draft", pendingEvents: [] });
    expect(await events()).toEqual([]);
    expect(await lines()).toEqual([["create_post", "Whole", 1]]);
    expect((await create("Refused")).working.slug).toBe("refused");
    expect((await publish()).status).toBe("published");
    expect(await events()).toEqual([[1, "post.published"]]);
  });
});
