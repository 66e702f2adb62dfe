import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openPostgresRateLedger } from "#adapters/postgres/rate-ledger";
import { openPostgresRateNodes } from "#adapters/postgres/rate-nodes";
import { closedAtEnd } from "#test/closed-at-end";
import { makeKey, startDelivery } from "#test/delivery-node";
import { openTestDatabase } from "#test/postgres";
import { openTestServices } from "#test/services";
import { openSharedRates } from "#usage/rates/shared-rates";

const services = closedAtEnd(await openTestServices({ clock: () => new Date() }));
/** The ledger and the nodes have a database of their own here, so that what the read path asks can be counted apart. */
const elsewhere = closedAtEnd(await openTestDatabase());
const openNode = () =>
  openSharedRates({
    id: randomUUID(),
    nodes: openPostgresRateNodes(elsewhere),
    ledger: openPostgresRateLedger(elsewhere),
    keyOf: (kind, name) => `${kind} ${name}`,
    log: { info() {}, warn() {} },
    beatMillis: 50,
  });
let queries = 0;
services.database.pool.on("acquire", () => (queries += 1));

test.each([1, 2])("a warm read asks neither the database nor the ledger, with %s nodes", async (count) => {
  const nodes = await Promise.all(Array.from({ length: count }, openNode));
  const [rates] = nodes;
  await expect.poll(() => nodes.map((node) => node.state.division.nodes)).toEqual(nodes.map(() => count));
  const node = await startDelivery(services, { rates: rates! });
  const tenant = await services.makeTenant();
  const key = await makeKey(services, tenant);
  for (let n = 0; n < 3; n++) expect((await node.get("/blog/posts", key)).status).toBe(200);
  const before = { queries, calls: rates!.state.calls };
  for (let n = 0; n < 40; n++) expect((await node.get("/blog/posts", key)).status).toBe(200);
  expect({ queries, calls: rates!.state.calls }).toEqual(before);
  await node.stop();
  await Promise.all(nodes.map((each) => each.close()));
});

test("what the header promises on a node of two is served there at once, and the whole limit is not exceeded", async () => {
  const nodes = await Promise.all([openNode(), openNode()]);
  await expect.poll(() => nodes.every(({ state }) => state.division.nodes === 2 && state.division.life !== null)).toBe(true);
  const node = await startDelivery(services, { rates: nodes[0] });
  const key = await makeKey(services, await services.makeTenant({ plan: "free" }));
  const first = await node.get("/blog/posts", key);
  const promised = Number(/r=(\d+)/.exec(first.headers.get("RateLimit")!)![1]);
  expect(promised).toBe(Math.floor(50 * (3 / 4 + 1 / 8)) - 1);
  const statuses = (await Promise.all(Array.from({ length: 80 }, () => node.get("/blog/posts", key)))).map(({ status }) => status);
  const served = statuses.filter((status) => status === 200).length;
  expect(served).toBeGreaterThanOrEqual(promised);
  expect(served).toBeLessThan(60);
  // Ten a second come back meanwhile.
  const later = await Promise.all(Array.from({ length: 40 }, () => node.get("/blog/posts", key)));
  const refused = later.filter(({ status }) => status === 429);
  expect(new Set(refused.map(({ headers }) => headers.get("Retry-After")))).toEqual(new Set(["1"]));
  await node.stop();
  await Promise.all(nodes.map((each) => each.close()));
});
