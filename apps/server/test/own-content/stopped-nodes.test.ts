import { expect, test, vi } from "vitest";
import type { PostId } from "#domain/ids";
import { registry } from "#operations/registry";
import type { ContentStore } from "#ports/content-store";
import { writingIn } from "#test/delivery/writing";
import { mongoJavaServer } from "#test/mongodb";
import { withPart } from "#test/parts";
import type { TestServices } from "#test/services";
import { runMove } from "#worker/moving/run-move";
import { onContent, openMovingOnce } from "./moving.ts";

vi.setConfig({ testTimeout: 90_000, hookTimeout: 60_000 });

/** A node that stops, as SIGSTOP stops one, right after it has read from the feed; and goes on when it is told to. */
function stoppedAfterReading(services: TestServices) {
  const [stopped, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stopping = (content: ContentStore): ContentStore => ({
    ...content,
    feed: {
      ...content.feed,
      async read(...given) {
        const read = await content.feed.read(...given);
        stopped.resolve();
        await goesOn.promise;
        return read;
      },
    },
  });
  const { contents, ownDatabases } = services;
  const node: TestServices = {
    ...services,
    contents: { ...contents, managed: stopping(contents.managed) },
    ownDatabases: {
      ...ownDatabases,
      withCluster: (id, connection, work) =>
        ownDatabases.withCluster(id, connection, (cluster) => work({ ...cluster, content: stopping(cluster.content) })),
    },
  };
  return { node, stopped: stopped.promise, goOn: goesOn.resolve };
}

withPart(mongoJavaServer.name, mongoJavaServer.find(), async (server) => {
  const { moving, first, second } = await openMovingOnce(server);

  test.each(["out", "back"] as const)(
    "fault 8: a node that was stopped while it moved content %s changes nothing when it goes on after another one has switched",
    async (direction) => {
      const tenant = await first.makeTenant();
      const write = writingIn(second, tenant);
      const [edited, purged, handed] = [await write.post("Edited"), await write.draft("Purged"), await write.post("Handed")];
      const at = onContent(first, tenant);
      const websiteId = tenant.website.id;
      if (direction === "back") await at.out(moving.newDatabase().url);
      else await at.call("connect_own_database", { url: moving.newDatabase().url });
      await at.call(direction === "out" ? "activate_own_database" : "disconnect_own_database");
      while ((await at.step()).position.phase !== "comparing");

      const { node, stopped, goOn } = stoppedAfterReading(first);
      const subject = { websiteId, subject: "content" } as const;
      const late = runMove(node, subject);
      await stopped;
      expect(await at.finish(second)).toMatchObject({ state: "done" });
      expect((await at.home()).kind).toBe(direction === "out" ? "own" : "managed");
      const after = await write.edit(edited, { title: "After the switch" });
      const gone = await write.trash(purged);
      await second.call(registry.purge_post, tenant.actor, { websiteId, postId: gone.id, expectedVersion: gone.version });
      const renamed = await write.revise(handed, { slug: "elsewhere" });
      const taker = await write.edit(await write.draft("Taker"), { slug: "handed", takeSlugFrom: renamed.id });

      goOn();
      await late;
      const website = (await first.platform.websites.get(websiteId))!;
      await first.contents.withContent(website, async ({ posts, claims }) => {
        expect(await posts.get(websiteId, edited.id as PostId)).toMatchObject({
          version: after.version,
          working: { title: "After the switch" },
        });
        expect(await posts.get(websiteId, purged.id as PostId)).toBeNull();
        expect((await claims.owners(websiteId, "post", ["handed"])).get("handed")).toBe(taker.id);
      });
    },
  );
});
