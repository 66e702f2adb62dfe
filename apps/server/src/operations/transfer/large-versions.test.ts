import { readFile } from "node:fs/promises";
import { beforeEach, expect, test } from "vitest";
import type { Post } from "#domain/post";
import type { Term } from "#domain/term";
import { deletePost } from "#operations/posts/delete-post";
import { editPost } from "#operations/posts/edit-post";
import { unpublishPost } from "#operations/posts/unpublish-post";
import { editMedia } from "#operations/media/edit-media";
import { editTerm } from "#operations/terms/edit-term";
import { buildMedia, buildPublishedPost, buildTerm } from "#test/builders";
import { connectTestTool, logCall } from "#test/connected-tool";
import { onBothEngines } from "#test/on-both-engines";
import type { Tenant } from "#test/services";

/** What imports of earlier versions let in: one more, and PostgreSQL has no number for it. */
const LARGEST = 2 ** 31 - 1;
const LOWERS = new URL("../../adapters/postgres/migrations/0246-large-versions.sql", import.meta.url);

await onBothEngines((services, engine) => {
  let tenant: Tenant;
  let post: Post;
  const content = () => services.contentOf(tenant.website);
  const stored = async () => (await content().posts.get(tenant.website.id, post.id))!;
  const upgrade = async () => {
    if (engine === "PostgreSQL") await services.database.query({ text: await readFile(LOWERS, "utf8") });
  };
  beforeEach(async () => {
    tenant = await services.makeTenant();
    post = buildPublishedPost(1, { websiteId: tenant.website.id, version: LARGEST });
    await content().posts.insert(post, { visible: true });
  });

  test("a post that was imported with the largest version there is can be edited, unpublished and deleted", async () => {
    await upgrade();
    const input = async () => ({ websiteId: tenant.website.id, postId: post.id, expectedVersion: (await stored()).version });
    await services.call(editPost, tenant.actor, { ...(await input()), title: "Edited" });
    await services.call(unpublishPost, tenant.actor, await input());
    await services.call(deletePost, tenant.actor, await input());
    expect(await stored()).toMatchObject({ status: "deleted", working: { title: "Edited" } });
    expect((await services.platform.events.list(tenant.website.id, 0, 10)).map(({ event }) => event.type)).toEqual([
      "post.unpublished",
      "post.deleted",
    ]);
  });

  test("by a tool too, whose calls are logged", async () => {
    await upgrade();
    const { actor, connection } = await connectTestTool(services, tenant);
    for (const title of ["One", "Two", "Three"]) {
      const { version } = await stored();
      const input = { websiteId: tenant.website.id, postId: post.id, expectedVersion: version, title };
      const saved = await services.call(editPost, actor, input);
      await logCall(services, tenant, connection.id, "edit_post", { id: post.id, label: title }, [version, saved.version]);
    }
    expect((await stored()).working.title).toBe("Three");
  });

  test("terms and images too", async () => {
    const websiteId = tenant.website.id;
    const term: Term = buildTerm(1, { websiteId, version: LARGEST });
    const image = buildMedia(1, { websiteId, version: LARGEST });
    await content().terms.insert(term);
    await content().media.insert(image);
    await upgrade();
    const versionOf = async (record: Promise<{ version: number } | null>) => (await record)!.version;
    await services.call(editTerm, tenant.actor, {
      websiteId,
      termId: term.id,
      name: "Edited",
      expectedVersion: await versionOf(content().terms.get(websiteId, term.id)),
    });
    await services.call(editMedia, tenant.actor, {
      websiteId,
      mediaId: image.id,
      alt: "Edited",
      expectedVersion: await versionOf(content().media.get(websiteId, image.id)),
    });
    expect((await content().terms.get(websiteId, term.id))?.name).toBe("Edited");
    expect((await content().media.get(websiteId, image.id))?.alt).toBe("Edited");
  });
});
