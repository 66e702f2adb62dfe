import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { eachOf } from "#operations/kernel/each-of";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { type HostileClusters, openHostileClusters } from "./hostile-clusters.ts";
import { DIRTY, GOOD } from "./hostile-documents.ts";
import { type ManyClusters, openManyClusters } from "./many-clusters.ts";
import { memoryOf, type ServedWebsite, serveWebsites } from "./serve-websites.ts";

// A whole process starts here, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const HEALTHY = 28;
const DEAD = 12;

let folder: string;
let clusters: ManyClusters;
let hostile: HostileClusters;
let served: Awaited<ReturnType<typeof serveWebsites>>;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "stet-served-"));
  clusters = await openManyClusters();
  hostile = await openHostileClusters();
  const database = closedAtEnd(await openTestDatabase());
  const ordinary = Array.from({ length: HEALTHY + DEAD }, (_, n) => (n < HEALTHY ? clusters.healthy(n) : clusters.dead(n)));
  const urls = [...ordinary, ...Object.values(hostile.urls), hostile.documents, null];
  const env = { DATABASE_URL: database.url, STET_DATA: folder, STET_ALLOW_PRIVATE_TARGETS: "127.1.0.0/16" };
  served = await serveWebsites(env, urls);
});
afterAll(async () => {
  await served?.service.stop();
  await clusters?.close();
  await hostile?.close();
  await rm(folder, { recursive: true, force: true });
});

interface Body {
  readonly data?: readonly { id: string }[] & { body?: { html: string } };
  readonly code?: string;
}
const read = async ({ key }: ServedWebsite, below: string) => {
  const response = await served.service.fetch(`/v1/blog/${below}`, { headers: { Authorization: `Bearer ${key}` } });
  return { status: response.status, body: (await response.json()) as Body };
};

test("of 40 websites on 40 addresses 12 are dead, and the others are read throughout", async () => {
  const healthy = served.websites.slice(0, HEALTHY);
  const dead = served.websites.slice(HEALTHY, HEALTHY + DEAD);
  for (let round = 1; round <= 3; round++) {
    // Another address each time, so that nothing comes from the cache.
    const refused = Promise.all(dead.map((website) => read(website, `posts?limit=${10 + round}`)));
    await eachOf(healthy, 3, async (website) => {
      const { status, body } = await read(website, `posts?limit=${10 + round}`);
      expect([status, body.data?.length], JSON.stringify(body).slice(0, 300)).toEqual([200, 5]);
    });
    for (const { status, body } of await refused) expect([status, body.code]).toEqual([503, "CONTENT_STORE_UNAVAILABLE"]);
  }
  // Each has its own client; and what was found dead was not looked at again by every reader.
  const counts = await clusters.counts();
  expect(counts.addresses).toBe(HEALTHY);
  expect(counts.hanging).toBeLessThan((DEAD / 3) * 3 * 3);
});

test("hostile databases are refused, none makes memory grow by 100 MB, and other websites are read meanwhile", async () => {
  const [documents, managed] = served.websites.slice(-2);
  let most = 0;
  let peak = 0;
  let isOver = false;
  let reads = 0;
  const reading = (async () => {
    while (!isOver) {
      for (const website of [served.websites[0]!, managed!])
        expect((await read(website, `posts?limit=${1 + (reads % 100)}`)).status).toBe(200);
      reads += 1;
      peak = Math.max(peak, await memoryOf(served.service));
      most = Math.max(most, peak);
      await delay(50);
    }
  })();
  // As much as ordinary readers make it take: garbage is collected when it pleases the engine.
  await expect.poll(() => reads).toBeGreaterThan(30);
  // One after the other, each by itself: what is bounded is the memory that one database can take. Together they leave garbage of each other.
  const grown: Record<string, number> = {};
  const start = most;
  const ask = async (n: number, name: string) => {
    const website = served.websites[HEALTHY + DEAD + n]!;
    const readsBefore = reads;
    const answers = await Promise.all(["posts?limit=3", `posts/${GOOD}`, "media"].map((below) => read(website, below)));
    // A list ends where as much was read as was asked for, whatever its server would still like to say.
    const allowed = name.includes("a list") ? [200, 404, 503] : [503];
    for (const { status } of answers) expect(allowed, name).toContain(status);
    await expect.poll(() => reads).toBeGreaterThan(readsBefore + 1);
  };
  for (const [n, name] of Object.keys(hostile.urls).entries()) {
    const before = most;
    await ask(n, name);
    grown[name] = most - before;
    if (grown[name] < 100) continue;
    // Garbage that was not collected yet counts too: before it is called too much, it is looked at once more, from what is there after a rest.
    await delay(5_000);
    peak = 0;
    const rested = await memoryOf(served.service);
    await ask(n, name);
    grown[name] = Math.min(grown[name], peak - rested);
  }
  expect(hostile.victims()).toBe(0);

  expect((await read(documents!, "posts?limit=10")).body.data!.map(({ id }) => id)).toEqual([GOOD, DIRTY]);
  const { html } = (await read(documents!, `posts/${DIRTY}`)).body.data!.body!;
  expect(html).toContain("Kept");
  expect(html).not.toMatch(/script|onclick|onerror|onload|javascript:/i);
  expect((await read(documents!, "media")).body.data).toEqual([]);

  isOver = true;
  await reading;
  expect(Object.entries(grown).filter(([, megabytes]) => megabytes >= 100)).toEqual([]);
  expect(most - start).toBeLessThan(200);
  expect(served.service.log()).not.toMatch(/unhandled|uncaught/i);
});
