import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type Database, openDatabase } from "#adapters/postgres/database";
import type { Signal, Signals } from "#ports/signals";
import { openBreakableProxy } from "#test/breakable-proxy";
import { openTestDatabase } from "#test/postgres";
import { openPostgresSignals } from "./signals.ts";

let database: Database & { url: string };
let here: Signals;
const heard: (Signal | "everything")[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  here = await openPostgresSignals(database, () => {});
  here.subscribe((signal) => heard.push(signal));
});
afterAll(async () => {
  await here.close();
  await database.close();
});

const raise = (id: string) => database.query({ text: "SELECT raise_signal('content', $1)", values: [id] });
const listening = () =>
  database.query({ text: "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database()" });

test("what this process tells is heard before the call returns", () => {
  void here.tellHere({ topic: "access", id: "site_here" });
  expect(heard).toContainEqual({ topic: "access", id: "site_here" });
});

test("what another node wrote is heard", async () => {
  await raise("site_other");
  await expect.poll(() => heard, { interval: 10 }).toContainEqual({ topic: "content", id: "site_other" });
});

/** Writes without notifying: only whoever asks can find it. */
const silently = (id: string) => ({
  text: "INSERT INTO signals (topic, id, xid) VALUES ('content', $1, pg_current_xact_id())",
  values: [id],
});

test("what happened while the connection was lost is heard all the same, and the connection comes back", async () => {
  await database.query({
    text: "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%' AND datname = current_database() AND pid <> pg_backend_pid()",
  });
  await database.query(silently("site_missed"));
  await expect.poll(() => heard, { interval: 10 }).toContainEqual({ topic: "content", id: "site_missed" });
  await expect.poll(async () => (await listening()).rowCount).toBeGreaterThan(0);
});

test("a node that cannot listen starts all the same and hears what it asks for", async () => {
  const troubles: string[] = [];
  const unreachable: Database = { ...database, listening: { host: "127.0.0.1", port: 1 } };
  const deaf = await openPostgresSignals(unreachable, (message) => troubles.push(message));
  onTestFinished(() => deaf.close());
  const found: unknown[] = [];
  deaf.subscribe((signal) => found.push(signal));
  await database.query(silently("site_asked"));
  await expect.poll(() => found, { interval: 10, timeout: 5_000 }).toContainEqual({ topic: "content", id: "site_asked" });
  expect(troubles).toEqual([expect.stringMatching(/by asking only/)]);
});

test("over connections that lead nowhere no answer comes, and a node asks again over others", async () => {
  const proxy = await openBreakableProxy(database.url);
  const beyond = openDatabase({ url: proxy.url, lookUpMillis: 300 });
  const there = await openPostgresSignals(beyond, () => {});
  const found: unknown[] = [];
  there.subscribe((signal) => found.push(signal));
  onTestFinished(async () => {
    await proxy.close();
    await there.close();
    await beyond.close();
  });
  await database.query(silently("site_before"));
  await expect.poll(() => found, { interval: 10 }).toContainEqual({ topic: "content", id: "site_before" });
  proxy.strand();
  await raise("site_after");
  await expect.poll(() => found, { interval: 10, timeout: 5_000 }).toContainEqual({ topic: "content", id: "site_after" });
});

test("a connection to a machine that vanished keeps nobody from closing", async () => {
  const proxy = await openBreakableProxy(database.url);
  const beyond = openDatabase({ url: proxy.url });
  onTestFinished(async () => {
    await proxy.close();
    await beyond.close();
  });
  const there = await openPostgresSignals(beyond, () => {});
  proxy.strand();
  await there.close();
});

test("a change that commits after a later one was read is not skipped", async () => {
  const late = await database.pool.connect();
  await late.query("BEGIN");
  await late.query(silently("site_late"));
  await database.query(silently("site_early"));
  await expect.poll(() => heard, { interval: 10 }).toContainEqual({ topic: "content", id: "site_early" });
  const looks = heard.length;
  // It is found again at every look, as long as an older transaction is open: so looks have passed.
  await expect.poll(() => heard.length, { interval: 10 }).toBeGreaterThan(looks + 1);
  expect(heard).not.toContainEqual({ topic: "content", id: "site_late" });
  await late.query("COMMIT");
  late.release();
  await expect.poll(() => heard, { interval: 10 }).toContainEqual({ topic: "content", id: "site_late" });
});
