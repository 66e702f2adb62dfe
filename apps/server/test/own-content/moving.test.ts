import { setTimeout as delay } from "node:timers/promises";
import { POST_SORTS } from "@stet/contract";
import { expect, onTestFinished, test, vi } from "vitest";
import { readRoutes } from "#delivery/read-routes";
import type { PostId } from "#domain/ids";
import { sendRequest } from "#test/delivery-api/request";
import { writingIn } from "#test/delivery/writing";
import { makeKey, startDelivery } from "#test/delivery-node";
import { fillWebsite } from "#test/full-website";
import { ferretdb, mongoJavaServer } from "#test/mongodb";
import { withPart } from "#test/parts";
import { sumUp } from "#worker/moving/sum-up";
import { isRefused, onContent, openMovingOnce } from "./moving.ts";

vi.setConfig({ testTimeout: 240_000, hookTimeout: 60_000 });

const PATHS = [
  ...POST_SORTS.map((sort) => `/blog/posts?limit=15&sort=${sort}`),
  ...["categories", "tags", "authors", "media"].map((list) => `/blog/${list}?limit=10`),
  ...["feed.xml", "feed.json", "sitemap.xml", "llms.txt", "redirects?limit=5", "website"].map((file) => `/blog/${file}`),
];

for (const part of process.env.STET_SOAK ? [mongoJavaServer, ferretdb] : [mongoJavaServer])
  withPart(part.name, part.find(), async (server) => {
    const { moving } = await openMovingOnce(server);

    test("a website moves to its own database and back, and every answer on every node is the same at each step", async () => {
      const [first, second] = moving.nodes;
      const tenant = await first.makeTenant();
      await fillWebsite(first, tenant);
      await writingIn(first, tenant).settings({ publicUrl: "https://blog.test" });
      const at = onContent(first, tenant);
      const key = await makeKey(first, tenant);
      const nodes = [await startDelivery(first, { readRoutes }), await startDelivery(second, { readRoutes })];
      const answers = async (node: (typeof nodes)[number]) => {
        // So that no limit of the key is met.
        for (const services of moving.nodes) services.pass(60_000);
        const read = new Map<string, string>();
        const take = async (path: string): Promise<{ data?: { slug: string }[]; pagination?: { nextCursor: string | null } }> => {
          const { status, text, json } = await sendRequest(node.port, `/v1${path}`, { key });
          read.set(path, `${status} ${text}`);
          return json;
        };
        for (const path of PATHS) {
          for (let next: string | null = path; next !== null;) {
            const cursor: string | null = (await take(next))?.pagination?.nextCursor ?? null;
            next = cursor && `${path}&cursor=${cursor}`;
          }
        }
        const { data } = await take("/blog/posts?limit=12&sort=-title");
        for (const { slug } of data!) await take(`/blog/posts/${slug}`);
        return read;
      };
      const before = await answers(nodes[0]!);
      const same = async () => {
        for (const node of nodes) expect(await answers(node)).toEqual(before);
      };
      const { url, there } = moving.newDatabase();
      const { managed } = first.contents;
      const sums = await sumUp(managed, tenant.website.id);

      await expect(at.call("start_content_move")).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
      await at.call("connect_own_database", { url });
      await at.call("start_content_move");
      await at.step();
      await at.step();
      await same();
      expect(await at.finish()).toMatchObject({ state: "done", error: null });
      expect(await at.home()).toMatchObject({ kind: "managed", epoch: 0 });
      const { report } = await at.call("get_content_move_report");
      expect(report).toMatchObject({ sums, differences: [], pausedMillis: null });

      await at.call("activate_own_database");
      expect(await at.finish()).toMatchObject({ state: "done", error: null });
      expect(await at.home()).toEqual({ kind: "own", epoch: 1 });
      await same();
      expect(await there.collection("stet").findOne({})).toMatchObject({ websiteId: tenant.website.id, epoch: 1 });
      // Reader numbers, usage and the activity log stay with the install.
      expect((await there.listCollections().toArray()).map(({ name }) => name).toSorted()).toEqual([
        "beside",
        "claims",
        "counters",
        "counts",
        "intents",
        "media",
        "posts",
        "revisions",
        "stet",
        "terms",
      ]);

      expect(await at.back()).toMatchObject({ state: "done", error: null });
      expect(await at.home()).toEqual({ kind: "managed", epoch: 2 });
      expect(await sumUp(managed, tenant.website.id)).toEqual(sums);
      await same();
      expect(await at.call("get_own_database")).toMatchObject({ database: null, home: "managed" });
      expect(await there.collection("posts").countDocuments()).toBeGreaterThan(40);
      for (const node of nodes) await node.stop();
    });

    test("people on two nodes write throughout, and nothing of what they were told is saved is lost", async () => {
      const [first, second] = moving.nodes;
      const tenant = await first.makeTenant();
      const at = onContent(first, tenant);
      const { url } = moving.newDatabase();
      const saved = new Map<string, { version: number; title: string }>();
      const refusals: unknown[] = [];
      let longest = 0;
      let isOver = false;
      // Nobody writes on after a test that failed.
      onTestFinished(() => void (isOver = true));
      const writer = async (services: typeof first, name: string) => {
        const write = writingIn(services, tenant);
        const insist = async <T>(work: () => Promise<T>): Promise<T> => {
          const began = performance.now();
          for (;;) {
            try {
              const result = await work();
              longest = Math.max(longest, performance.now() - began);
              return result;
            } catch (error) {
              if (!isRefused(error)) throw error;
              refusals.push(error);
              await delay(20);
            }
          }
        };
        for (let n = 0; !isOver; n++) {
          let post = await insist(() => write.draft(`${name} ${n}`));
          post = await insist(() => write.publish(post));
          saved.set(post.id, { version: post.version, title: post.working.title });
          post = await insist(() => write.edit(post, { title: `${name} ${n} again` }));
          saved.set(post.id, { version: post.version, title: post.working.title });
          await delay(250);
        }
      };
      const writers = [writer(first, "First"), writer(second, "Second")];
      await expect.poll(() => saved.size, { timeout: 30_000 }).toBeGreaterThan(8);
      expect(await at.out(url)).toMatchObject({ state: "done", error: null });
      const inOwn = saved.size;
      await expect.poll(() => saved.size, { timeout: 30_000 }).toBeGreaterThan(inOwn + 8);
      expect(await at.back()).toMatchObject({ state: "done", error: null });
      const after = saved.size;
      await expect.poll(() => saved.size, { timeout: 30_000 }).toBeGreaterThan(after + 8);
      isOver = true;
      await Promise.all(writers);
      for (const [id, { version, title }] of saved) {
        const post = await first.contents.managed.posts.get(tenant.website.id, id as PostId);
        expect(post, id).toMatchObject({ version, working: { title } });
      }
      // A pause of ten seconds at most, and what the save itself takes on a busy machine.
      expect(longest).toBeLessThan(20_000);
      expect(await at.home()).toEqual({ kind: "managed", epoch: 2 });
    });
  });
