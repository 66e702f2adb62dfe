import { expect, test } from "vitest";
import { openDatabase } from "#adapters/postgres/database";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { checkRights } from "./rights.ts";

const owner = closedAtEnd(await openTestDatabase());

/** The database as a role sees it that has only the rights given here. */
async function as(role: string, statements: readonly string[]) {
  for (const text of [`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`, ...statements]) await owner.query({ text });
  const url = new URL(owner.url);
  [url.username, url.password] = [role, "secret"];
  return closedAtEnd(openDatabase({ url: url.href, connections: 1 }));
}

const unique = (name: string): string => `${name}_${process.pid}_${Date.now()}`;

test("the owner can do everything, and nothing is left behind", async () => {
  expect(await checkRights(owner)).toMatchObject({ verdict: "good" });
  const { rows } = await owner.query({ text: "SELECT FROM pg_class WHERE relname = 'stet_doctor'" });
  expect(rows).toEqual([]);
});

test("a role that cannot create tables is told so, with the statement that helps", async () => {
  const role = unique("reader");
  const database = await as(role, [`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${role}`]);
  expect(await checkRights(database)).toEqual({
    verdict: "problem",
    message: expect.stringMatching(
      new RegExp(`${role} cannot create tables .*GRANT USAGE, CREATE ON SCHEMA "public" TO "${role}";`),
    ) as string,
  });
});

test("a role that may create tables, but owns none of those that are there, cannot upgrade them", async () => {
  const role = unique("newcomer");
  const database = await as(role, [`GRANT USAGE, CREATE ON SCHEMA public TO ${role}`]);
  expect(await checkRights(database)).toEqual({
    verdict: "problem",
    message: expect.stringMatching(/\d+ tables of the schema public belong to another role/) as string,
  });
});
