import { createHash } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { openTestDatabase } from "#test/postgres";
import { openDatabase } from "./database.ts";
import { type Migration, migrate, readMigrations } from "./migrate.ts";

const migration = (name: string, sql: string): Migration => ({ name, sql, hash: createHash("sha256").update(sql).digest("hex") });
const FIRST = migration("0001-first.sql", "CREATE TABLE first (n int); SELECT pg_sleep(0.2);");
const SECOND = migration("0002-second.sql", "CREATE TABLE second (n int); INSERT INTO second VALUES (2);");

let opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(opened.map((database) => database.close()));
  opened = [];
});

async function openEmpty() {
  const database = await openTestDatabase({ migrated: false });
  opened.push(database);
  return database;
}

test("nodes that start at once apply each migration once, and all of them go on", async () => {
  const database = await openEmpty();
  const nodes = Array.from({ length: 8 }, () => openDatabase({ url: database.url, connections: 1 }));
  opened.push(...nodes);
  const applied = await Promise.all(nodes.map((node) => migrate(node, () => {}, [FIRST, SECOND])));
  expect(applied.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 2]);
  expect((await database.query({ text: "SELECT n FROM second" })).rows).toEqual([{ n: 2 }]);
});

test("they are applied in order, once, and progress is told", async () => {
  const database = await openEmpty();
  const told: string[] = [];
  await migrate(database, (name) => told.push(name), [FIRST]);
  await migrate(database, (name) => told.push(name), [FIRST, SECOND]);
  await migrate(database, (name) => told.push(name), [FIRST, SECOND]);
  expect(told).toEqual(["0001-first.sql", "0002-second.sql"]);
});

test("a file that was edited after it was applied is refused", async () => {
  const database = await openEmpty();
  await migrate(database, () => {}, [FIRST]);
  const edited = migration(FIRST.name, "CREATE TABLE first (n bigint)");
  await expect(migrate(database, () => {}, [edited])).rejects.toThrow(/0001-first\.sql was edited after it was applied/);
});

test("a database of a newer version is refused and left alone", async () => {
  const database = await openEmpty();
  await migrate(database, () => {}, [FIRST, SECOND]);
  const third = migration("0003-third.sql", "CREATE TABLE third (n int)");
  await expect(migrate(database, () => {}, [FIRST, third])).rejects.toThrow(/migrated by a newer Stet \(0002-second\.sql\)/);
  expect((await database.query({ text: "SELECT to_regclass('third') AS third" })).rows).toEqual([{ third: null }]);
});

test("a migration that fails leaves nothing behind, and can be tried again", async () => {
  const database = await openEmpty();
  const failing = migration("0002-second.sql", "CREATE TABLE half (n int); SELECT 1 / 0;");
  await expect(migrate(database, () => {}, [FIRST, failing])).rejects.toThrow(/0002-second\.sql failed.*division by zero/);
  expect((await database.query({ text: "SELECT to_regclass('first') AS first, to_regclass('half') AS half" })).rows).toEqual([
    { first: null, half: null },
  ]);
  expect(await migrate(database, () => {}, [FIRST, SECOND])).toBe(2);
});

test("the migrations of the product are numbered, each number once", async () => {
  const numbers = (await readMigrations()).map(({ name }) => /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]);
  expect(numbers).not.toContain(undefined);
  expect(new Set(numbers).size).toBe(numbers.length);
});
