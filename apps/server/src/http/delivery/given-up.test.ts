import { afterEach, expect, test } from "vitest";
import { readRoute } from "#delivery/read-route";
import { closedAtEnd } from "#test/closed-at-end";
import { type DeliveryNode, makeKey, problemOf, startDelivery } from "#test/delivery-node";
import { openTestServices } from "#test/services";

const services = closedAtEnd(await openTestServices());
const tenant = await services.makeTenant();
const key = await makeKey(services, tenant);
const nodes: DeliveryNode[] = [];
afterEach(() => Promise.all(nodes.splice(0).map((node) => node.stop())));

/** A list that takes a minute, as it does where statistics are missing. */
const slow = readRoute({
  path: "/blog/posts",
  query: {},
  cached: true,
  async run() {
    await services.database.query({ text: "SELECT pg_sleep(60)" });
    return { kind: "json", value: {} };
  },
});

async function start(loadTimeoutMillis: number): Promise<DeliveryNode> {
  const node = await startDelivery(services, { readRoutes: [slow], loadTimeoutMillis });
  nodes.push(node);
  return node;
}

const running = async (): Promise<number> =>
  (
    await services.database.query<{ n: number }>({
      text: "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query ~ '^SELECT pg_sleep'",
    })
  ).rows[0]!.n;

test("a read whose last reader has gone is cancelled in the database, and not before", async () => {
  const node = await start(60_000);
  const readers = [new AbortController(), new AbortController()];
  const asked = readers.map(({ signal }) =>
    fetch(`${node.url}/blog/posts`, { headers: { Authorization: `Bearer ${key}` }, signal }).catch(() => {}),
  );
  await expect.poll(running).toBe(1);
  readers[0]!.abort();
  await asked[0];
  // Somebody who asks again keeps it alive: it is the same work.
  const third = new AbortController();
  const again = fetch(`${node.url}/blog/posts`, { headers: { Authorization: `Bearer ${key}` }, signal: third.signal }).catch(() => {});
  readers[1]!.abort();
  await asked[1];
  expect(await running()).toBe(1);
  third.abort();
  await again;
  await expect.poll(running, { timeout: 5_000 }).toBe(0);
  expect(node.lines.filter(({ level }) => level === "error")).toEqual([]);
});

test("a read that is given up because it takes too long is cancelled in the database as well", async () => {
  const node = await start(100);
  const refused = await node.get("/blog/posts", key);
  expect(await problemOf(refused)).toMatchObject({ status: 503, code: "CONTENT_STORE_UNAVAILABLE" });
  expect(refused.headers.get("Retry-After")).not.toBeNull();
  await expect.poll(running).toBe(0);
});
