import { beforeEach, describe, expect, test } from "vitest";
import type { PostId } from "#domain/ids";
import { MINUTE, timestamp } from "#domain/time";
import { registry } from "#operations/registry";
import { toolOf } from "#test/connected-tool";
import { distinctImage, imageBytes } from "#test/images";
import { onBothEngines } from "#test/on-both-engines";
import type { Tenant } from "#test/services";

type Answer = Awaited<ReturnType<typeof registry.replace_media.run>>;

await onBothEngines((services) => {
  let tenant: Tenant;
  let made = 0;
  const here = () => ({ websiteId: tenant.website.id });
  const upload = (bytes: Uint8Array = distinctImage(made++), filename = "a.gif") =>
    services.call(registry.add_media, tenant.actor, { ...here(), bytes, filename });
  const create = (content: object) => services.call(registry.create_post, tenant.actor, { ...here(), title: "Post", ...content });
  const on = (postId: string, expectedVersion: number) => ({ ...here(), postId: postId as PostId, expectedVersion });
  const read = async (id: string) => (await services.contentOf(tenant.website).posts.get(tenant.website.id, id as PostId))!;

  /** Calls until nothing is left, as the dashboard does. */
  async function replace(mediaId: string, byMediaId: string, actor = tenant.actor) {
    const answers: Answer[] = [];
    let next: Answer["next"] = { phase: "posts", cursor: null };
    for (let step = 0; next && step < 20; step++) {
      const position: object = { phase: next.phase, ...(next.cursor && { cursor: next.cursor }) };
      answers.push(await services.call(registry.replace_media, actor, { ...here(), mediaId, byMediaId, ...position }));
      next = answers.at(-1)!.next;
    }
    return {
      posts: answers.flatMap(({ posts }) => posts),
      authors: answers.flatMap(({ authors }) => authors),
      skipped: answers.flatMap(({ skipped }) => skipped),
      steps: answers.length,
    };
  }

  beforeEach(async () => {
    tenant = await services.makeTenant();
  });

  describe("replacing an image", () => {
    test("changes what readers see and what writers edit, and publishes nothing else", async () => {
      const [before, after] = [await upload(), await upload(imageBytes("png"), "b.png")];
      const body = `![A](${before.url})\n\nText with https://cdn.example${before.url}?w=640.`;
      const post = await create({ body, coverMediaId: before.id, seo: { ogImageUrl: `https://blog.example${before.url}` } });
      await services.call(registry.publish_post, tenant.actor, on(post.id, 1));
      await services.call(registry.edit_post, tenant.actor, { ...on(post.id, 2), title: "Not yet" });
      services.pass(MINUTE);

      const { posts, skipped } = await replace(before.id, after.id);
      expect([posts, skipped]).toEqual([[{ id: post.id, title: "Not yet", status: "published", hadBoth: false }], []]);
      const now = await read(post.id);
      const expected = `![A](${after.url})\n\nText with https://cdn.example${after.url}?w=640.`;
      for (const content of [now.working, now.live!.content]) {
        expect(content).toMatchObject({ body: expected, coverMediaId: after.id, seo: { ogImageUrl: `https://blog.example${after.url}` } });
      }
      expect(now).toMatchObject({
        version: 4,
        hasUnpublishedChanges: true,
        working: { title: "Not yet" },
        live: { content: { title: "Post" } },
      });
      expect(now.live!.rendering.html).toContain(after.url);
      const events = await services.platform.events.list(tenant.website.id, 0, 10);
      expect(events.map(({ event }) => event.type)).toEqual(["post.published", "post.updated"]);
      expect(await services.call(registry.get_media, tenant.actor, { ...here(), mediaId: before.id })).toMatchObject({
        usedIn: { postCount: 0 },
      });

      await services.call(registry.replace_media, tenant.actor, {
        ...here(),
        mediaId: after.id,
        byMediaId: before.id,
        only: { postIds: posts.map(({ id }) => id), authorIds: [] },
      });
      const undone = await read(post.id);
      expect([undone.working, undone.live!.content].map(({ body: text, coverMediaId }) => [text, coverMediaId])).toEqual([
        [body, before.id],
        [body, before.id],
      ]);
    });

    test("keeps the time of a scheduled post, reaches what only readers see still, and the portraits of authors", async () => {
      const [before, after] = [await upload(), await upload()];
      const scheduled = await create({ title: "Later", coverMediaId: before.id });
      const at = timestamp(services.now.getTime() + 60 * MINUTE);
      await services.call(registry.schedule_post, tenant.actor, { ...on(scheduled.id, 1), at });
      const liveOnly = await create({ title: "Live only", body: `![](${before.url})` });
      await services.call(registry.publish_post, tenant.actor, on(liveOnly.id, 1));
      await services.call(registry.edit_post, tenant.actor, { ...on(liveOnly.id, 2), body: "Without it." });
      const both = await create({ title: "Both", body: `![](${before.url}) ![](${after.url})` });
      const thrown = await create({ title: "Trash", coverMediaId: before.id });
      await services.call(registry.delete_post, tenant.actor, on(thrown.id, 1));
      const profile = { avatarMediaId: before.id };
      const author = await services.call(registry.create_term, tenant.actor, { ...here(), kind: "author", name: "Ada", profile });

      const { posts, authors } = await replace(before.id, after.id);
      expect(posts.map(({ title, hadBoth }) => [title, hadBoth])).toEqual([
        ["Later", false],
        ["Both", true],
        ["Live only", false],
      ]);
      expect(authors).toEqual([{ id: author.id, name: "Ada" }]);
      expect(await read(scheduled.id)).toMatchObject({ status: "scheduled", scheduledAt: at, working: { coverMediaId: after.id } });
      expect(await read(liveOnly.id)).toMatchObject({ working: { body: "Without it." }, live: { content: { body: `![](${after.url})` } } });
      expect((await read(both.id)).working.body).toBe(`![](${after.url}) ![](${after.url})`);
      expect((await read(thrown.id)).working.coverMediaId).toBe(before.id);
      expect(await services.call(registry.get_term, tenant.actor, { ...here(), termId: author.id })).toMatchObject({
        profile: { avatarMediaId: after.id },
      });
    });

    test("finds what is only shared or in a custom field, which is in use: it is not offered as unused, and an app's delete waits", async () => {
      const [social, inField, after] = [await upload(), await upload(), await upload()];
      const fieldDefinitions = [{ key: "gallery", label: "Gallery", type: "json" }];
      const version = { ...here(), expectedVersion: tenant.website.version };
      const website = await services.call(registry.set_field_definitions, tenant.actor, { ...version, fieldDefinitions });
      const held = { ...here(), expectedVersion: website.version, settings: { holdToolChanges: true } };
      await services.call(registry.update_website, tenant.actor, held);
      const fields = { gallery: [{ src: `https://cdn.example${inField.url}?w=640` }] };
      const post = await create({ seo: { ogImageUrl: `https://blog.example${social.url}` }, fields });
      await services.call(registry.publish_post, tenant.actor, on(post.id, 1));
      const { items } = await services.call(registry.list_media, tenant.actor, { ...here(), unused: true });
      expect(items.map(({ id }) => id)).toEqual([after.id]);

      const tool = await toolOf(services, tenant.owner.id, { allowDelete: true });
      for (const mediaId of [social.id, inField.id]) {
        await expect(services.call(registry.delete_media, tool, { ...here(), mediaId })).rejects.toMatchObject({
          code: "INVALID_TRANSITION",
        });
        const deleted = await services.call(registry.delete_media, tool, { ...here(), mediaId, evenIfUsed: true });
        expect(deleted).toMatchObject({ deletedAt: null, suggestion: { id: expect.any(String) }, usedIn: { postCount: 1 } });
        expect((await replace(mediaId, after.id)).posts.map(({ id }) => id)).toEqual([post.id]);
        expect((await services.call(registry.get_media, tenant.actor, { ...here(), mediaId })).usedIn.postCount).toBe(0);
      }
      expect((await read(post.id)).live!.content).toMatchObject({
        seo: { ogImageUrl: `https://blog.example${after.url}` },
        fields: { gallery: [{ src: `https://cdn.example${after.url}?w=640` }] },
      });
    });

    test("goes on in steps, each of them once, and a second walk finds nothing", async () => {
      const [before, after] = [await upload(), await upload()];
      for (let n = 0; n < 22; n++) await create({ title: `Post ${n}`, coverMediaId: before.id });
      const { posts, steps } = await replace(before.id, after.id);
      expect([new Set(posts.map(({ id }) => id)).size, posts.length, steps]).toEqual([22, 22, 3]);
      expect((await replace(before.id, after.id)).posts).toEqual([]);
    });

    test("loses nothing of somebody who is writing: a save on the version before is refused, and theirs to merge", async () => {
      const [before, after] = [await upload(), await upload()];
      const post = await create({ body: `![](${before.url})` });
      await replace(before.id, after.id);
      await expect(
        services.call(registry.edit_post, tenant.actor, { ...on(post.id, 1), body: `Mine.\n\n![](${before.url})`, autosave: true }),
      ).rejects.toMatchObject({ code: "VERSION_CONFLICT", facts: { currentVersion: 2 } });
    });

    test("is refused when the new image is in the trash, and to those who cannot edit every post", async () => {
      const [before, after] = [await upload(), await upload()];
      await services.call(registry.delete_media, tenant.actor, { ...here(), mediaId: after.id });
      await expect(replace(before.id, after.id)).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
      const author = await tenant.addMember("author");
      await expect(replace(after.id, before.id, author)).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
    });
  });
});
