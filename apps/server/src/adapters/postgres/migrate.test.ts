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
  const applied = await Promise.all(nodes.map((node) => migrate(node, {}, [FIRST, SECOND])));
  expect(applied.toSorted()).toEqual([0, 0, 0, 0, 0, 0, 0, 2]);
  expect((await database.query({ text: "SELECT n FROM second" })).rows).toEqual([{ n: 2 }]);
});

test("a node that has to wait for another says so, and goes on when that is done", async () => {
  const database = await openEmpty();
  // Ends only when somebody stands in line.
  const long = migration(
    "0001-long.sql",
    `DO $$ BEGIN
       WHILE NOT EXISTS (SELECT FROM pg_locks JOIN pg_database ON pg_database.oid = database AND datname = current_database()
                         WHERE locktype = 'advisory' AND NOT granted)
       LOOP PERFORM pg_sleep(0.01); END LOOP;
     END $$`,
  );
  const told: string[] = [];
  let second: Promise<number> | undefined;
  const onMigration = () => {
    second = migrate(database, { onWait: () => told.push("waiting") }, [long]);
  };
  expect(await migrate(database, { onMigration }, [long])).toBe(1);
  expect(await second).toBe(0);
  expect(told).toEqual(["waiting"]);
});

test("a table that something else uses for long ends the start, and nobody waits behind it", async () => {
  const database = await openEmpty();
  await migrate(database, {}, [FIRST]);
  const change = migration("0002-change.sql", "ALTER TABLE first ADD COLUMN m int");
  await database.transaction(async (backup) => {
    await backup.query({ text: "SELECT FROM first" });
    const ended = migrate(database, { tableWaitMillis: 50 }, [FIRST, change]);
    await expect(ended).rejects.toThrow(/0002-change\.sql failed, and nothing was changed: something else uses a table/);
  });
  expect(await migrate(database, { tableWaitMillis: 50 }, [FIRST, change])).toBe(1);
});

test("a limit that an operator set for ordinary statements does not end a migration", async () => {
  const database = await openEmpty();
  const { rows } = await database.query<{ name: string }>({ text: "SELECT quote_ident(current_database()) AS name" });
  await database.query({ text: `ALTER DATABASE ${rows[0]!.name} SET statement_timeout = 100` });
  const node = openDatabase({ url: database.url, connections: 1 });
  opened.push(node);
  expect(await migrate(node, {}, [FIRST])).toBe(1);
});

test("they are applied in order, once, and progress is told", async () => {
  const database = await openEmpty();
  const told: string[] = [];
  await migrate(database, { onMigration: (name) => told.push(name) }, [FIRST]);
  await migrate(database, { onMigration: (name) => told.push(name) }, [FIRST, SECOND]);
  await migrate(database, { onMigration: (name) => told.push(name) }, [FIRST, SECOND]);
  expect(told).toEqual(["0001-first.sql", "0002-second.sql"]);
});

test("a file that was edited after it was applied is refused", async () => {
  const database = await openEmpty();
  await migrate(database, {}, [FIRST]);
  const edited = migration(FIRST.name, "CREATE TABLE first (n bigint)");
  await expect(migrate(database, {}, [edited])).rejects.toThrow(/0001-first\.sql was edited after it was applied/);
});

test("a database of a newer version is refused and left alone", async () => {
  const database = await openEmpty();
  await migrate(database, {}, [FIRST, SECOND]);
  const third = migration("0003-third.sql", "CREATE TABLE third (n int)");
  await expect(migrate(database, {}, [FIRST, third])).rejects.toThrow(/migrated by a newer Stet \(0002-second\.sql\)/);
  expect((await database.query({ text: "SELECT to_regclass('third') AS third" })).rows).toEqual([{ third: null }]);
});

test("a migration that fails leaves nothing behind, and can be tried again", async () => {
  const database = await openEmpty();
  const failing = migration("0002-second.sql", "CREATE TABLE half (n int); SELECT 1 / 0;");
  await expect(migrate(database, {}, [FIRST, failing])).rejects.toThrow(/0002-second\.sql failed.*division by zero/);
  expect((await database.query({ text: "SELECT to_regclass('first') AS first, to_regclass('half') AS half" })).rows).toEqual([
    { first: null, half: null },
  ]);
  expect(await migrate(database, {}, [FIRST, SECOND])).toBe(2);
});

test("the migrations of the product are numbered, each number once", async () => {
  const numbers = (await readMigrations()).map(({ name }) => /^(\d{4})-[a-z0-9-]+\.sql$/.exec(name)?.[1]);
  expect(numbers).not.toContain(undefined);
  expect(new Set(numbers).size).toBe(numbers.length);
});
