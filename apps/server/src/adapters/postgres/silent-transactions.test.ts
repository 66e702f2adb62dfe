import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { openDatabase } from "./database.ts";

// A process starts here, on machines that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const SILENT_MILLIS = 1_500;
const TAKE = "SELECT pg_advisory_xact_lock(7)";
const owner = closedAtEnd(await openTestDatabase({ migrated: false }));

/** A process that holds a lock in a transaction and does nothing else. */
async function startHolder(pooled: boolean): Promise<number> {
  const code = `
    import { openDatabase } from "#adapters/postgres/database";
    const database = openDatabase({ url: process.env.ADDRESS, connections: 1, pooled: ${pooled}, silentMillis: ${SILENT_MILLIS} });
    await database.transaction(async (connection) => {
      await connection.query({ text: "${TAKE}" });
      console.log("held");
      await new Promise((resolve) => setTimeout(resolve, 60_000));
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], {
    cwd: path.resolve(import.meta.dirname, "../../.."),
    env: { ...process.env, ADDRESS: owner.url },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
  return child.pid!;
}

const isFree = async (): Promise<boolean> =>
  (await owner.query<{ free: boolean }>({ text: "SELECT pg_try_advisory_xact_lock(7) AS free" })).rows[0]!.free;

test.each([
  ["on a connection of its own", false],
  ["through a pooler", true],
])("%s, a process that is stopped inside a transaction does not hold its locks for ever", async (_, pooled) => {
  const holder = await startHolder(pooled);
  expect(await isFree()).toBe(false);
  process.kill(holder, "SIGSTOP");
  await expect.poll(isFree, { timeout: 30_000 }).toBe(true);
});

test("a transaction whose work takes longer keeps its locks", async () => {
  const database = closedAtEnd(openDatabase({ url: owner.url, connections: 1, silentMillis: SILENT_MILLIS }));
  const age = () =>
    owner.query<{ millis: number }>({
      text: "SELECT extract(epoch FROM clock_timestamp() - xact_start)::float8 * 1000 AS millis FROM pg_stat_activity WHERE query = 'SELECT 1' AND xact_start IS NOT NULL AND pid <> pg_backend_pid()",
    });
  await database.transaction(async (connection) => {
    await connection.query({ text: TAKE });
    await expect.poll(async () => (await age()).rows[0]?.millis, { timeout: 30_000 }).toBeGreaterThan(3 * SILENT_MILLIS);
    expect(await isFree()).toBe(false);
  });
  expect(await isFree()).toBe(true);
});
