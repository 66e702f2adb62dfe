import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { systemActor, userActor } from "#domain/actor";
import { newId, type WebsiteId } from "#domain/ids";
import type { PostEvent } from "#domain/post";
import { timestamp } from "#domain/time";
import { type Installation, openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { execute } from "#operations/kernel/execute";
import { registry } from "#operations/registry";
import { runWorkers } from "#worker/run-workers";

/**
 * `npm run bench -- webhooks`: deliveries a second to a fast receiver on this machine, the time from asking to publish to the
 * request at the receiver while idle, and the same beside 100 dead endpoints. Fails when a target of the product is missed.
 */
const BURST = 3_000;
const PUBLICATIONS = 60;
const DEAD = 100;
const TARGET_PER_SECOND = 300;
const TARGET_MILLIS = 100;
const RESULTS = new URL("../../../.cache/bench/", import.meta.url);

/** Notes when each event came, by the post it is about. */
async function openReceiver() {
  const at = new Map<string, number>();
  let count = 0;
  let wanted = Number.POSITIVE_INFINITY;
  let reached = (): void => {};
  const server = createServer((request, response) => {
    const came = performance.now();
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { post: { id: string } } };
      at.set(data.post.id, came);
      response.writeHead(204).end();
      count += 1;
      if (count >= wanted) reached();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    at,
    /** Until so many more came. */
    more: (howMany: number) =>
      new Promise<void>((resolve) => {
        wanted = count + howMany;
        reached = resolve;
      }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function makeWebsite({ services }: Installation) {
  const account = await execute(services, registry.create_account, systemActor("bench"), {
    email: `${newId("user")}@example.com`,
    name: "Bench",
    password: "correct horse battery",
  });
  const actor = userActor(account.id);
  const workspace = await execute(services, registry.create_workspace, actor, { name: "Bench" });
  const website = await execute(services, registry.create_website, actor, { workspaceId: workspace.id, name: "Bench" });
  return { actor, here: { websiteId: website.id } };
}
type BenchWebsite = Awaited<ReturnType<typeof makeWebsite>>;

const anEvent = (websiteId: WebsiteId): PostEvent => ({
  id: newId("event"),
  type: "post.deleted",
  websiteId,
  postId: newId("post"),
  at: timestamp(Date.now()),
  actor: { type: "system", id: "bench", userId: null },
  version: 1,
  status: "deleted",
  previousSlug: null,
  changed: [],
  post: null,
});

/** How fast the pipeline empties a log that is filled faster than anybody can publish. */
async function burst(
  { services }: Installation,
  { here }: BenchWebsite,
  receiver: Awaited<ReturnType<typeof openReceiver>>,
): Promise<number> {
  const all = receiver.more(BURST);
  const started = performance.now();
  for (let i = 0; i < BURST; i += 100) await services.platform.events.append(Array.from({ length: 100 }, () => anEvent(here.websiteId)));
  await all;
  return (BURST / (performance.now() - started)) * 1_000;
}

/** From the moment someone asks to publish until the first byte is at the receiver, while nothing else happens. */
async function latencies(
  { services }: Installation,
  { actor, here }: BenchWebsite,
  receiver: Awaited<ReturnType<typeof openReceiver>>,
): Promise<number[]> {
  const times: number[] = [];
  for (let i = 0; i < PUBLICATIONS; i++) {
    const post = await execute(services, registry.create_post, actor, { ...here, title: `Post ${i}`, body: "Some text." });
    await new Promise((resolve) => setTimeout(resolve, 20 + (i % 7) * 10));
    const came = receiver.more(1);
    const started = performance.now();
    await execute(services, registry.publish_post, actor, { ...here, postId: post.id, expectedVersion: 1 });
    await came;
    times.push(receiver.at.get(post.id)! - started);
  }
  return times.toSorted((a, b) => a - b);
}

const share = (sorted: readonly number[], part: number) => Math.round(sorted[Math.floor((sorted.length - 1) * part)]! * 10) / 10;

/** Receivers that take a connection and never answer; each of the 100 endpoints fails again and again. */
async function addDead({ services }: Installation, url: string): Promise<void> {
  for (let i = 0; i < DEAD; i += 50) {
    const { actor, here } = await makeWebsite({ services } as Installation);
    for (let j = 0; j < 50; j++) await execute(services, registry.create_webhook, actor, { ...here, url: `${url}?${i + j}` });
    await services.platform.events.append(Array.from({ length: 20 }, () => anEvent(here.websiteId)));
  }
}

const folder = await mkdtemp(path.join(tmpdir(), "stet-bench-"));
const config = readConfig({ STET_DATA: folder, STET_ALLOW_PRIVATE_TARGETS: "true" });
const installation = await openInstallation(config, createLog("error"), { role: "service", report: () => {} });
const receiver = await openReceiver();
const silent = createServer(() => {});
silent.listen(0, "127.0.0.1");
await once(silent, "listening");
const results: Record<string, number> = {};
const stop = runWorkers(installation.services);
try {
  const website = await makeWebsite(installation);
  await execute(installation.services, registry.create_webhook, website.actor, { ...website.here, url: receiver.url });
  // The first ones pay for connections and compiled code.
  await burst(installation, website, receiver);
  for (const beside of ["", ", beside 100 dead endpoints"]) {
    if (beside) {
      await addDead(installation, `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
    const sorted = await latencies(installation, website, receiver);
    results[`publish to first byte, p50 ms${beside}`] = share(sorted, 0.5);
    results[`publish to first byte, p95 ms${beside}`] = share(sorted, 0.95);
    const bursts: number[] = [];
    for (let i = 0; i < 3; i++) bursts.push(await burst(installation, website, receiver));
    results[`deliveries a second${beside}`] = Math.round(bursts.toSorted((a, b) => a - b)[1]!);
  }
} finally {
  silent.closeAllConnections();
  silent.close();
  await stop();
  receiver.close();
  await installation.close();
  await rm(folder, { recursive: true, force: true });
}

for (const [name, value] of Object.entries(results)) process.stdout.write(`${name.padEnd(60)} ${value}\n`);
await mkdir(RESULTS, { recursive: true });
await writeFile(new URL("webhooks.json", RESULTS), `${JSON.stringify(results, null, 2)}\n`);
const missed = Object.entries(results).filter(
  ([name, value]) => (name.includes("p50") && value > TARGET_MILLIS) || (name.startsWith("deliveries") && value < TARGET_PER_SECOND),
);
if (missed.length > 0) {
  process.stderr.write(`Targets missed: ${missed.map(([name]) => name).join("; ")}\n`);
  process.exitCode = 1;
}
