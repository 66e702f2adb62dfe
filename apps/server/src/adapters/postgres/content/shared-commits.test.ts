import { expect, test } from "vitest";
import { Failure } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import type { Connection, Runner } from "./connection.ts";
import { sharedCommits } from "./shared-commits.ts";

const SITE = "site_1" as WebsiteId;
const OTHER = "site_2" as WebsiteId;

/** A connection on which every statement takes a turn of the event loop; `log` says what was written in which transaction. */
function testConnection(commit: () => void = () => {}) {
  const log: string[] = [];
  let transactions = 0;
  const runner = (name: string): Runner => {
    const rows = async <Row extends object>(): Promise<Row[]> => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      log.push(name);
      return [];
    };
    return { rows, prepared: rows };
  };
  const connection: Connection = {
    ...runner("alone"),
    async transaction(work) {
      const result = await work(runner(`transaction ${++transactions}`));
      commit();
      return result;
    },
  };
  return { connection, log };
}

const write = (runner: Runner) => runner.rows(undefined as never);

test("writes of one website that come while another is written share the next commit; each gets its own answer", async () => {
  const { connection, log } = testConnection();
  const run = sharedCommits(connection);
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      run(SITE, async (runner) => {
        await write(runner);
        return n;
      }),
    ),
  );
  expect(answers).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(log).toEqual(["alone", ...Array.from({ length: 16 }, () => "transaction 1"), ...Array.from({ length: 3 }, () => "transaction 2")]);
  expect(await run(SITE, async () => "again")).toBe("again");
});

test("websites do not wait for each other", async () => {
  const { connection, log } = testConnection();
  const run = sharedCommits(connection);
  await Promise.all([run(SITE, write), run(OTHER, write)]);
  expect(log).toEqual(["alone", "alone"]);
});

test("one that fails takes nothing from those it shared a commit with", async () => {
  const { connection } = testConnection();
  const run = sharedCommits(connection);
  const results = await Promise.allSettled(
    ["first", "second", "wrong", "last"].map((name) =>
      run(SITE, async (runner) => {
        await write(runner);
        if (name === "wrong") throw new Error("a constraint");
        return name;
      }),
    ),
  );
  expect(results.map((result) => (result.status === "fulfilled" ? result.value : String(result.reason)))).toEqual([
    "first",
    "second",
    "Error: a constraint",
    "last",
  ]);
});

test("when the connection breaks at the commit, each hears so and none is written again", async () => {
  const { connection, log } = testConnection(() => {
    throw new Failure("CONTENT_STORE_UNAVAILABLE", "gone");
  });
  const run = sharedCommits(connection);
  const results = await Promise.allSettled([run(SITE, write), run(SITE, write), run(SITE, write)]);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(log).toEqual(["alone", "transaction 1", "transaction 1"]);
});
