import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { createKeyring } from "#adapters/keyring/keyring";
import { plansWith } from "#domain/plans";
import { registry } from "#operations/registry";
import { announceMissing } from "#test/parts";
import { findRedis } from "#test/redis";
import { openTestServices } from "#test/services";
import { processesOn } from "./processes.ts";

/** Two services on one database, with the rate ledger in Redis where there is one. `npm run bench -- limits` tries four behind nginx. */
const SECRET = "a secret that several machines share in tests";
const PLANS = { team: { requestsPerMonth: null, ratePerSecond: 4, burst: 24 } } as const;

const found = findRedis();
if ("missing" in found) announceMissing("two nodes with Redis", `${found.missing}; their ledger is in PostgreSQL`);
const redis = "missing" in found ? null : await found.part();
const services = await openTestServices({ keyring: createKeyring([SECRET]), plans: plansWith(PLANS), clock: () => new Date() });
const databaseUrl = services.database.pool.options.connectionString!;
const processes = await processesOn({
  databaseUrl,
  secret: SECRET,
  plans: PLANS,
  environment: { STET_METRICS: "on", ...(redis && { REDIS_URL: redis.url }) },
});
const nodes = await Promise.all([processes.start(), processes.start()]);
afterAll(async () => {
  await processes.close();
  await redis?.close();
  await services.close();
});

const metricsOf = async (port: number) => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

const knowEachOther = async () =>
  (await Promise.all(nodes.map(({ port }) => metricsOf(port)))).every((metrics) => metrics.includes("stet_rate_nodes 2\n"));
while (!(await knowEachOther())) await sleep(50);

test("flooded, two nodes admit what one would, and without their ledger no more; what they promise they keep", async () => {
  const { actor, website } = await services.makeTenant();
  const { key } = await services.call(registry.create_key, actor, { websiteId: website.id, name: "Test" });
  let asked = 0;
  const ask = () => nodes[asked % 2]!.ask("/blog/posts", { key, headers: { "X-Forwarded-For": `203.0.113.${asked++ % 9}` } });
  const statuses: number[] = [];
  const started = performance.now();
  const first = await ask();
  const promised = Number(/"burst";r=(\d+)/.exec(String(first.headers["ratelimit"]))![1]);
  expect(promised).toBeGreaterThan(15);
  // Longer where the machine is too busy to ask for more than the limit.
  for (let millis = 0; millis < 3_000 || (millis < 20_000 && !statuses.includes(429)); millis = performance.now() - started) {
    // The ledger is lost midway, without a word.
    if (millis > 1_500) await redis?.kill();
    for (const { status } of await Promise.all(Array.from({ length: 8 }, ask))) statuses.push(status);
  }
  const limit = 24 + (4 * (performance.now() - started)) / 1_000;
  const admitted = 1 + statuses.filter((status) => status === 200).length;
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(admitted).toBeLessThanOrEqual(limit);
  expect(admitted).toBeGreaterThan(0.7 * limit);
  expect(admitted).toBeGreaterThan(promised);
  if (redis) {
    await expect.poll(() => metricsOf(nodes[0]!.port)).toContain('stet_rate_ledger_up{ledger="Redis"} 0');
    await redis.start();
  }
  await expect.poll(() => metricsOf(nodes[0]!.port)).toContain(`stet_rate_ledger_up{ledger="${redis ? "Redis" : "PostgreSQL"}"} 1`);
});

test("a password is guessed no more often at two nodes than at one", async () => {
  const guess = (n: number) =>
    fetch(`http://127.0.0.1:${nodes[n % 2]!.port}/api/auth/sign-in/email`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: "https://stet.test", "X-Forwarded-For": "198.51.100.9" },
      body: JSON.stringify({ email: "nobody@example.com", password: `a wrong password ${n}` }),
    });
  const statuses: number[] = [];
  for (let n = 0; n < 12; n++) statuses.push((await guess(n)).status);
  const tried = statuses.filter((status) => status !== 429).length;
  expect(tried).toBeLessThanOrEqual(10);
  expect(tried).toBeGreaterThanOrEqual(8);
  expect(statuses.at(-1)).toBe(429);
});
