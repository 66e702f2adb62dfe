import { expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices } from "#test/services";
import { atTurnEnd } from "./turn-end.ts";

const { database } = closedAtEnd(await openTestServices());
const ask = (value: string) =>
  database.query<{ pid: number; value: string }>({
    text: "SELECT pg_backend_pid() AS pid, $1::text AS value",
    values: [value],
    keepPlan: true,
    joins: true,
  });
const divide = (by: number) => database.query<{ ratio: number }>({ text: "SELECT 1 / $1::integer AS ratio", values: [by], joins: true });

test("look-ups of one turn go over one connection, and each gets its own answer", async () => {
  const answers = await Promise.all(["a", "b", "c"].map(ask));
  expect(answers.map(({ rows }) => rows[0]!.value)).toEqual(["a", "b", "c"]);
  expect(new Set(answers.map(({ rows }) => rows[0]!.pid)).size).toBe(1);
});

test("a look-up that others were gathered for leaves with those that were asked directly", async () => {
  const direct = ask("direct");
  const gathered = new Promise<Awaited<ReturnType<typeof ask>>>((resolve) => atTurnEnd(() => resolve(ask("gathered"))));
  const [one, two] = await Promise.all([direct, gathered]);
  expect(two.rows[0]!.pid).toBe(one.rows[0]!.pid);
});

test("a look-up that fails takes nothing from the others", async () => {
  const [before, failed, after] = await Promise.allSettled([ask("before"), divide(0), ask("after")]);
  expect(before).toMatchObject({ status: "fulfilled", value: { rows: [{ value: "before" }] } });
  expect(failed).toMatchObject({ status: "rejected", reason: { code: "22012" } });
  expect(after).toMatchObject({ status: "fulfilled", value: { rows: [{ value: "after" }] } });
  expect((await divide(1)).rows[0]!.ratio).toBe(1);
});

test("a connection that ends under look-ups fails them, and the next ones have another", async () => {
  const end = database.query({ text: "SELECT pg_terminate_backend(pg_backend_pid())", values: [], joins: true });
  const results = await Promise.allSettled([end, ask("lost")]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect((await ask("again")).rows[0]!.value).toBe("again");
});

test("statements of one commit are all written, or none", async () => {
  await database.query({ text: "CREATE TABLE in_one_commit (id integer PRIMARY KEY)" });
  const write = (id: number) => ({ text: "INSERT INTO in_one_commit (id) VALUES ($1) RETURNING id", values: [id], keepPlan: true });
  const ids = async () =>
    (await database.query<{ id: number }>({ text: "SELECT id FROM in_one_commit ORDER BY id" })).rows.map(({ id }) => id);
  const written = await database.inOneCommit([write(1), write(2)]);
  expect(written.map(({ rows }) => rows)).toEqual([[{ id: 1 }], [{ id: 2 }]]);
  await expect(database.inOneCommit([write(3), write(2), write(4)])).rejects.toMatchObject({ code: "23505" });
  expect(await ids()).toEqual([1, 2]);
  // The connection is good for the next one.
  await database.inOneCommit([write(3), write(4)]);
  expect(await ids()).toEqual([1, 2, 3, 4]);
});
