import { AsyncLocalStorage } from "node:async_hooks";
import { expect, test } from "vitest";
import { type Actor, toolActor } from "#domain/actor";
import type { Connection } from "#domain/connection";
import type { ManagedStore } from "#domain/media-file";
import type { ContentStore } from "#ports/content-store";
import { distinctImage, imageBytes } from "#test/images";
import { onBothEngines } from "#test/on-both-engines";
import { oneStore } from "#test/one-store";
import type { Tenant, TestServices } from "#test/services";
import { registry } from "../registry.ts";

/** What a tool is in the middle of: begun before the connection ended, and about to write. */
const CHANGES = [
  "create_post",
  "edit_post",
  "publish_post",
  "delete_post",
  "create_term",
  "edit_term",
  "delete_term",
  "merge_terms",
  "add_media",
  "edit_media",
  "delete_media",
] as const;

await onBothEngines((services, engine) => {
  test.each(CHANGES)("%s that was under way when its connection was ended writes nothing", async (name) => {
    const { tenant, member, tool, connection, inputs } = await atWork(services);
    const before = await everythingIn(services, tenant);
    const call = underWay(services, () => services.call(registry[name], tool, inputs[name]));
    await call.begun;
    await services.call(registry.disconnect, member, { workspaceId: tenant.workspace.id, connectionId: connection.id });
    call.goOn();
    await expect(call.done).rejects.toMatchObject({ code: "GRANT_FORBIDS", message: expect.stringContaining("disconnected") as string });
    expect(await everythingIn(services, tenant)).toEqual(before);
  });

  /** What else takes from a call what it was let in with. */
  const ENDINGS: Readonly<Record<string, (at: Awaited<ReturnType<typeof atWork>>) => Promise<unknown>>> = {
    "deleting is forbidden": ({ tenant, member, connection }) =>
      services.call(registry.change_connection, member, {
        workspaceId: tenant.workspace.id,
        connectionId: connection.id,
        allowDelete: false,
      }),
    "the connection is bound to another workspace": async ({ member, connection }) => {
      const { id: workspaceId } = await services.call(registry.create_workspace, member, { name: "Another" });
      await services.call(registry.change_connection, member, { workspaceId, connectionId: connection.id, reach: "this" });
    },
    "its owner is removed": ({ tenant, member }) =>
      services.call(registry.remove_member, tenant.actor, { workspaceId: tenant.workspace.id, userId: member.userId }),
    "its owner gets another role": ({ tenant, member }) =>
      services.call(registry.change_role, tenant.actor, { workspaceId: tenant.workspace.id, userId: member.userId, role: "author" }),
  };
  for (const [ending, end] of Object.entries(ENDINGS)) {
    test.each(["delete_post", "delete_media"] as const)(`%s that is under way when ${ending} writes nothing`, async (name) => {
      const at = await atWork(services);
      const before = await everythingIn(services, at.tenant);
      const call = underWay(services, () => services.call(registry[name], at.tool, at.inputs[name]));
      await call.begun;
      await end(at);
      call.goOn();
      await expect(call.done).rejects.toMatchObject({ code: "GRANT_FORBIDS" });
      expect(await everythingIn(services, at.tenant)).toEqual(before);
    });
  }

  test("a stale save of a tool that is connected is told so, and a person's save asks nothing", async () => {
    const { tenant, tool, inputs } = await atWork(services);
    const edit = { ...inputs.edit_post, title: "Again" };
    await services.call(registry.edit_post, tool, edit);
    await expect(services.call(registry.edit_post, tool, edit)).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    const call = underWay(services, () => services.call(registry.edit_post, tenant.actor, { ...edit, expectedVersion: 2 }));
    await call.begun;
    call.goOn();
    await call.done;
  });

  test("an image that was not recorded leaves no file", async () => {
    const { tenant, member, tool, connection, inputs } = await atWork(services);
    const files = services.files.size;
    const call = underWay(services, () => services.call(registry.add_media, tool, inputs.add_media));
    await call.begun;
    await services.call(registry.disconnect, member, { workspaceId: tenant.workspace.id, connectionId: connection.id });
    call.goOn();
    await expect(call.done).rejects.toMatchObject({ code: "GRANT_FORBIDS" });
    expect(services.files.size).toBe(files);
  });

  test.skipIf(engine === "MongoDB")("many tools write at once, and none waits for another for ever", async () => {
    const { tool, inputs } = await atWork(services);
    const term = (at: number) => services.call(registry.create_term, tool, { ...inputs.create_term, name: `Term ${at}` });
    const image = () => services.call(registry.add_media, tool, inputs.add_media);
    const post = (at: number) => services.call(registry.create_post, tool, { ...inputs.create_post, title: `Post ${at}` });
    await Promise.all(Array.from({ length: 12 }, (_, at) => [term(at), image(), post(at)]).flat());
  });
});

/** A member's tool that may do everything, and things to change. */
async function atWork(services: TestServices) {
  const tenant = await services.makeTenant();
  const member = await tenant.addMember("admin");
  const { connection } = await services.call(registry.connect_tool, member, {
    kind: "ai",
    client: { id: "test", name: "Test tool", host: null, redirectHost: null },
    workspaces: "all",
    allowDelete: true,
  });
  const here = { websiteId: tenant.website.id };
  const png = { bytes: imageBytes("png"), filename: "a.png" };
  const { id: postId } = await services.call(registry.create_post, tenant.actor, { ...here, title: "A post", body: "Text." });
  const [tag, other] = await Promise.all(
    ["One", "Two"].map((name) => services.call(registry.create_term, tenant.actor, { ...here, kind: "tag", name })),
  );
  const { id: mediaId } = await services.call(registry.add_media, tenant.actor, { ...here, ...png });
  const inputs = {
    create_post: { ...here, title: "New" },
    edit_post: { ...here, postId, expectedVersion: 1, title: "By the tool" },
    publish_post: { ...here, postId, expectedVersion: 1 },
    delete_post: { ...here, postId, expectedVersion: 1 },
    create_term: { ...here, kind: "tag", name: "New" },
    edit_term: { ...here, termId: tag!.id, expectedVersion: 1, name: "By the tool" },
    delete_term: { ...here, termId: tag!.id, expectedVersion: 1 },
    merge_terms: { ...here, sourceId: tag!.id, targetId: other!.id },
    add_media: { ...here, filename: "other.gif", bytes: distinctImage(1) },
    edit_media: { ...here, mediaId, expectedVersion: 1, alt: "By the tool" },
    delete_media: { ...here, mediaId, expectedVersion: 1 },
  };
  return { tenant, member, connection: connection as Connection, tool: toolActor(member.userId, connection) as Actor, inputs };
}

async function everythingIn(services: TestServices, { website }: Tenant) {
  const { posts, terms, media } = services.contentOf(website);
  const statuses = ["draft", "scheduled", "published", "unpublished", "deleted"] as const;
  const [heads, tags, images, trash] = await Promise.all([
    posts.listHeads(website.id, { statuses, sort: "-createdAt", after: null, limit: 50 }),
    terms.list(website.id, { kind: "tag", after: null, limit: 50 }),
    media.list(website.id, { after: null, limit: 50 }),
    media.list(website.id, { trashed: true, after: null, limit: 50 }),
  ]);
  return { posts: heads.rows, terms: tags.rows, images: images.rows, trash: trash.rows };
}

/** Set within a call that waits: what else goes on meanwhile, such as making variants of an image, asks the same stores. */
const isCall = new AsyncLocalStorage<true>();

/** A call that was let in and waits at the first question to its store, until it is told to go on. */
function underWay<T>(services: TestServices, call: () => Promise<T>) {
  const { contents, images } = services;
  const begun = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  const waiting = <Part extends object>(part: Part): Part =>
    Object.fromEntries(
      Object.entries(part).map(([name, ask]: [string, (...args: unknown[]) => Promise<unknown>]) => [
        name,
        async (...args: unknown[]) => {
          if (!isCall.getStore()) return ask(...args);
          Object.assign(services, { contents, images });
          begun.resolve();
          await gate.promise;
          return ask(...args);
        },
      ]),
    ) as Part;
  const waitingContent = (content: ContentStore): ContentStore => ({
    ...content,
    posts: waiting(content.posts),
    claims: waiting(content.claims),
    terms: waiting(content.terms),
    media: waiting(content.media),
  });
  Object.assign(services, {
    contents: oneStore(waitingContent(contents.managed)),
    images: { current: images.current, of: (name: ManagedStore) => waiting(images.of(name)) },
  });
  const done = isCall.run(true, call);
  done.catch(() => {});
  return { begun: Promise.race([begun.promise, done]), goOn: gate.resolve, done };
}
