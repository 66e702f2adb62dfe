import { afterAll, beforeAll, expect, test } from "vitest";
import { openMongoContent } from "#adapters/mongodb/open";
import type { PostId } from "#domain/ids";
import { execute } from "#operations/kernel/execute";
import { operations as posts } from "#operations/posts/index";
import type { ContentStore } from "#ports/content-store";
import { withoutWholeSave } from "#test/without-whole-save";
import { mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { withPart } from "#test/parts";
import { openTestServices, type TestServices } from "#test/services";
import { openReceiver } from "#test/webhooks/receiver";
import { writingIn } from "#test/webhooks/writing";
import { oneStore } from "#test/one-store";
import { settlePending } from "#worker/sweeps";
import { createDeliverer } from "#worker/webhooks/deliverer";

const CRASHES = [
  "none",
  "before the commit",
  "after the commit",
  "before the save",
  "after the save",
  "before the log",
  "after the log",
  "before settling",
  "after settling",
] as const;
type Crash = (typeof CRASHES)[number];

/** Runs the call, or throws instead of it or behind it, as a process that dies does. */
function dying<A extends unknown[], R>(call: (...args: A) => Promise<R>, when: "before" | "after" | null) {
  return async (...args: A): Promise<R> => {
    if (when === "before") throw new Error("killed");
    const result = await call(...args);
    if (when === "after") throw new Error("killed");
    return result;
  };
}

const when = (crash: Crash, step: string) => (crash === `before ${step}` ? "before" : crash === `after ${step}` ? "after" : null);

/** The service as it is in the moment it dies. */
function dyingServices(services: TestServices, content: ContentStore, crash: Crash): TestServices {
  const { events } = services.platform;
  const { saveWhole } = content.posts;
  // Where there is one commit, it is what breaks off; the steps are those of older nodes, and of content in another database.
  const store: ContentStore =
    saveWhole && crash.endsWith("the commit")
      ? { ...content, posts: { ...content.posts, saveWhole: dying(saveWhole, when(crash, "the commit")) } }
      : dyingInSteps(withoutWholeSave(content), crash);
  return {
    ...services,
    contents: oneStore(store),
    platform: { ...services.platform, events: { ...events, append: dying(events.append, when(crash, "the log")) } },
  };
}

function dyingInSteps(content: ContentStore, crash: Crash): ContentStore {
  return {
    ...content,
    posts: {
      ...content.posts,
      save: dying(content.posts.save, when(crash, "the save")),
      settle: dying(content.posts.settle, when(crash, "settling")),
    },
  };
}

function engineTests(open: () => Promise<{ services: TestServices; close(): Promise<void> }>): void {
  let opened: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    opened = await open();
  }, 120_000);
  afterAll(() => opened.close());

  test("wherever a publication breaks off, its event is told exactly if it was saved", async () => {
    const { services } = opened;
    const tenant = await services.makeTenant();
    const writing = writingIn(services, tenant);
    const receiver = await openReceiver();
    await writing.addEndpoint(receiver.url);
    const content = services.contentOf(tenant.website);
    const deliverer = createDeliverer(services);
    const tried: { id: PostId; crash: Crash }[] = [];
    for (const crash of [...CRASHES, ...CRASHES.toReversed()]) {
      const draft = await services.call(posts.create_post, tenant.actor, { ...writing.here, title: crash });
      const input = { ...writing.here, postId: draft.id, expectedVersion: 1 };
      await execute(dyingServices(services, content, crash), posts.publish_post, tenant.actor, input).catch((error: Error) =>
        expect(error.message).toBe("killed"),
      );
      tried.push({ id: draft.id, crash });
      if (tried.length % 3 === 0) await settlePending(services, content);
      if (tried.length % 2 === 0) await deliverer.drain();
    }
    while ((await settlePending(services, content)) > 0);
    await deliverer.drain();
    for (const { id, crash } of tried) {
      const isPublished = (await content.posts.get(tenant.website.id, id))?.status === "published";
      const isBefore = crash === "before the save" || (crash === "before the commit" && content.posts.saveWhole !== undefined);
      expect([crash, isPublished]).toEqual([crash, !isBefore]);
      const heard = receiver.received
        .filter(({ event }) => event.data.post?.id === id)
        .map(({ event }) => [event.type, event.data.version]);
      expect([crash, heard]).toEqual([crash, isPublished ? [["post.published", 2]] : []]);
    }
    await receiver.close();
  });
}

withPart("PostgreSQL content", { part: null, detail: "" }, () =>
  engineTests(async () => {
    const services = await openTestServices();
    return { services, close: () => services.close() };
  }),
);

withPart("mongo-java-server 1.47", mongoJavaServer.find(), (server) =>
  engineTests(async () => {
    const { url, stop } = await server.start();
    const content = await openMongoContent({ url, database: testDatabaseName(), onVisibleChange: async () => {} });
    const services = await openTestServices({ contents: oneStore(content) });
    return {
      services,
      async close() {
        await services.close();
        await content.close();
        await stop();
      },
    };
  }),
);
