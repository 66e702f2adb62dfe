import { once } from "node:events";
import { expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { isoText } from "./column-types.ts";

const database = closedAtEnd(await openTestDatabase({ migrated: false }));

test("a connection that is lost in the middle of a transaction fails it, and nothing else", async () => {
  const acquired = once(database.pool, "acquire") as Promise<[NodeJS.EventEmitter]>;
  const transaction = database.transaction(async (connection) => {
    const [client] = await acquired;
    const { rows } = await connection.query<{ pid: number }>({ text: "SELECT pg_backend_pid() AS pid" });
    // Between two statements nobody waits for an answer that could fail.
    // Not `once`, which fails with the error that comes first.
    const ended = new Promise((resolve) => client.once("end", resolve));
    await database.query({ text: "SELECT pg_terminate_backend($1)", values: [rows[0]!.pid] });
    await ended;
    await connection.query({ text: "SELECT 1" });
  });
  await expect(transaction).rejects.toThrow();
  expect((await database.query<{ one: number }>({ text: "SELECT 1 AS one" })).rows).toEqual([{ one: 1 }]);
});

test("a connection that is lost while somebody holds it and does not listen ends nobody, and is not handed out again", async () => {
  // As the auth library holds one, and as everybody does for a moment after the pool handed it out.
  const held = await database.pool.connect();
  const ended = new Promise((resolve) => held.once("end", resolve));
  const { rows } = await held.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  await database.query({ text: "SELECT pg_terminate_backend($1)", values: [rows[0]!.pid] });
  await ended;
  held.release();
  expect((await database.query<{ one: number }>({ text: "SELECT 1 AS one" })).rows).toEqual([{ one: 1 }]);
});

test("a connection to a server that takes no writes any more is not used again", async () => {
  const sessions: number[] = [];
  const refused = database.transaction(async (connection) => {
    const { rows } = await connection.query<{ pid: number }>({ text: "SELECT pg_backend_pid() AS pid" });
    sessions.push(rows[0]!.pid);
    await connection.query({ text: "SET TRANSACTION READ ONLY" });
    await connection.query({ text: "CREATE TABLE refused ()" });
  });
  await expect(refused).rejects.toMatchObject({ code: "25006" });
  const alive = { text: "SELECT pid FROM pg_stat_activity WHERE pid = $1", values: sessions };
  await expect.poll(async () => (await database.query(alive)).rowCount).toBe(0);
});

test("a transaction whose work fails leaves nothing, and its connection is used again", async () => {
  await database.query({ text: "CREATE TABLE things (name text)" });
  const failing = database.transaction(async (connection) => {
    await connection.query({ text: "INSERT INTO things VALUES ('lost')" });
    throw new Error("changed my mind");
  });
  await expect(failing).rejects.toThrow("changed my mind");
  expect((await database.query({ text: "SELECT FROM things" })).rowCount).toBe(0);
});

test("times come back as ISO text with milliseconds, whatever they are", async () => {
  const moments = [
    "2026-11-15T06:18:12.123Z",
    "2026-11-15T06:18:12.120Z",
    "2026-11-15T06:18:12.500Z",
    "2026-11-15T06:18:12.000Z",
    "0099-12-31T23:59:59.999Z",
    "+010000-01-01T00:00:00.000Z",
  ];
  // PostgreSQL takes no sign before a year.
  const given = moments.map((moment) => moment.replace("+0", ""));
  const { rows } = await database.query<{ at: string }>({
    text: "SELECT at::timestamptz FROM unnest($1::text[]) WITH ORDINALITY AS given (at, n) ORDER BY n",
    values: [given],
  });
  expect(rows.map((row) => row.at)).toEqual(moments);
  expect(isoText("2026-11-15 06:18:12.123987+00")).toBe("2026-11-15T06:18:12.123Z");
});

test("a plan is kept where that is asked for, and nowhere else", async () => {
  const kept = await database.transaction(async (connection) => {
    await connection.query({ text: "SELECT 1 AS once" });
    for (const n of [1, 2]) await connection.query({ text: "SELECT $1::integer AS often", values: [n], keepPlan: true });
    return connection.query<{ statement: string }>({ text: "SELECT statement FROM pg_prepared_statements" });
  });
  expect(kept.rows.filter(({ statement }) => /often|once/.test(statement))).toEqual([{ statement: "SELECT $1::integer AS often" }]);
});
