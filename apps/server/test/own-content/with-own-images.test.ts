import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { MediaId } from "#domain/ids";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openDashboardNode } from "#test/dashboard-node";
import { writingIn } from "#test/delivery/writing";
import { mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { onWebsite } from "#test/own-images";
import { withPart } from "#test/parts";
import { versitygw } from "#test/s3";
import { sumUp } from "#worker/moving/sum-up";
import { onContent } from "./moving.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });
const node = closedAtEnd(await openDashboardNode({ pages: false }));
const { services } = node;

withPart(mongoJavaServer.name, mongoJavaServer.find(), (mongo) => {
  withPart("versitygw 1.8", versitygw.find(), (s3) => {
    const stops: (() => Promise<void>)[] = [];
    let url: string;
    let address: string;
    beforeAll(async () => {
      const [database, bucket] = [await mongo.start(), await s3.start()];
      stops.push(database.stop, bucket.stop);
      [url, address] = [database.url + testDatabaseName(), bucket.url];
    });
    afterAll(() => Promise.all(stops.map((stop) => stop())));

    test("content moves to its owner's database and images to their bucket, there and back, each without the other: readers get both all along, and nothing is lost or counted twice", async () => {
      const tenant = await node.makeTenant();
      const { id: websiteId } = tenant.website;
      const at = onContent(services, tenant);
      const images = onWebsite(services, tenant);
      const write = writingIn(services, tenant);
      const { key } = await services.call(registry.create_key, tenant.actor, { websiteId, name: "Key" });
      const uploaded: (Awaited<ReturnType<typeof images.upload>> & { slug: string })[] = [];
      /** Uploads an image and publishes a post with it. */
      const publish = async (title: string) => {
        const image = await images.upload();
        const post = await write.post(title, { coverMediaId: image.id, body: `![An image](${image.url})` });
        uploaded.push({ ...image, slug: post.working.slug });
      };
      const bytesOf = (each: readonly { bytes: Uint8Array }[]) => each.reduce((sum, { bytes }) => sum + bytes.length, 0);
      /** What readers get, and what is counted: what lies in the bucket takes no room of the plan. */
      const expectAll = async (inBucket: readonly { bytes: Uint8Array }[]) => {
        for (const { url: path, bytes, slug } of uploaded) {
          const image = await fetch(node.url + path);
          expect([image.status, Buffer.from(await image.arrayBuffer()).equals(bytes)]).toEqual([200, true]);
          const answer = await fetch(`${node.url}/v1/blog/posts/${slug}`, { headers: { Authorization: `Bearer ${key}` } });
          const { data } = (await answer.json()) as { data: { coverImage: { url: string }; body: { html: string } } };
          expect([slug, data.coverImage.url, data.body.html.includes(path)]).toEqual([slug, node.url + path, true]);
        }
        const { own, managed } = await services.platform.mediaFiles.sums(websiteId);
        const here = bytesOf(uploaded) - bytesOf(inBucket);
        expect([own.bytes, managed.bytes]).toEqual([bytesOf(inBucket), here]);
        expect((await services.platform.mediaFiles.totals(tenant.workspace.id)).get(websiteId) ?? 0).toBe(here);
      };

      await publish("Before both");
      await publish("Purged later");
      // Both at once, by turns, while more is written.
      await at.call("connect_own_database", { url });
      await images.connected(address);
      await at.call("activate_own_database");
      await at.step();
      await images.hurry();
      await images.step();
      await publish("While both move");
      expect(await images.finish()).toMatchObject({ state: "done", error: null });
      await expectAll(uploaded);
      expect(await at.finish()).toMatchObject({ state: "done", error: null });
      expect((await at.home()).kind).toBe("own");
      await publish("With both elsewhere");
      await expectAll(uploaded);

      const [gone] = uploaded.splice(1, 1);
      await write.deleteImage(gone!.id);
      await images.call("purge_media", { mediaId: gone!.id });
      expect((await fetch(node.url + gone!.url)).status).toBe(404);
      await expectAll(uploaded);

      // The images come back first: their records are in the database.
      await images.call("disconnect_image_store");
      await publish("While images come back");
      expect(await images.finish()).toMatchObject({ state: "done", error: null });
      await expectAll([]);
      // And go once more: now the content comes back first.
      await images.connected(address);
      expect(await images.finish()).toMatchObject({ state: "done" });
      await at.call("disconnect_own_database");
      await at.step();
      await publish("While the content comes back");
      expect(await at.finish()).toMatchObject({ state: "done", error: null });
      expect(await at.home()).toEqual({ kind: "managed", epoch: 2 });
      await expectAll(uploaded);
      await images.call("disconnect_image_store");
      expect(await images.finish()).toMatchObject({ state: "done", error: null });
      await expectAll([]);

      const sums = await sumUp(services.contents.managed, websiteId);
      expect([sums.post.count, sums.media.count]).toEqual([uploaded.length + 1, uploaded.length]);
      for (const { id, bytes } of uploaded)
        expect(await services.contents.managed.media.get(websiteId, id as MediaId)).toMatchObject({ bytes: bytes.length });
      expect(await services.platform.mediaFiles.get(websiteId, gone!.id as MediaId)).toBeNull();
    });
  });
});
