import { expect, test } from "vitest";
import { Failure } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import { currentWork, inPool } from "#domain/pool";
import type { Connection } from "./connection.ts";
import { sharedCommits } from "./shared-commits.ts";
import { type Fragment, raw } from "./sql.ts";

const SITE = "site_1" as WebsiteId;
const OTHER = "site_2" as WebsiteId;

interface Written {
  readonly write: Fragment;
}

/** A connection on which every commit takes a turn of the event loop; `log` says which writes were in which. */
function testConnection({ wrong, commit = () => {} }: { wrong?: Fragment; commit?: () => void } = {}) {
  const log: (readonly Fragment[])[] = [];
  const pools: string[] = [];
  const writeAll = async (writes: readonly Fragment[]): Promise<Written[][]> => {
    pools.push(currentWork().pool);
    await new Promise((resolve) => setTimeout(resolve, 1));
    log.push(writes);
    if (wrong && writes.includes(wrong)) throw new Error("a constraint");
    return writes.map((write) => [{ write }]);
  };
  const connection = {
    prepared: async (write: Fragment) => (await writeAll([write]))[0],
    async inOneCommit(writes: readonly Fragment[]) {
      const rows = await writeAll(writes);
      commit();
      return rows;
    },
  };
  return { run: sharedCommits<Written>(connection as unknown as Connection), log, pools };
}

const writesOf = (count: number): Fragment[] => Array.from({ length: count }, (_, n) => raw(`write ${n}`));

test("of the writes of one website that come while another is written, half share the next commit; each gets its own answer", async () => {
  const { run, log } = testConnection();
  const writes = writesOf(60);
  expect(await Promise.all(writes.map((write) => run(SITE, write)))).toEqual(writes.map((write) => ({ write })));
  expect(log.flat()).toEqual(writes);
  // Not more than sixteen, and the last few together.
  expect(log.map(({ length }) => length)).toEqual([1, 16, 16, 14, 7, 4, 2]);
  expect(await run(SITE, raw("again"))).toEqual({ write: raw("again") });
});

test("websites do not wait for each other", async () => {
  const { run, log } = testConnection();
  const [one, two] = writesOf(2) as [Fragment, Fragment];
  await Promise.all([run(SITE, one), run(OTHER, two)]);
  expect(log).toEqual([[one], [two]]);
});

test("nobody waits for a connection of the jobs, which may all be taken", async () => {
  const { run, pools } = testConnection();
  const writes = writesOf(4);
  const inBoth = (["jobs", "writes"] as const).map((pool, at) =>
    inPool(pool, () => writes.slice(2 * at, 2 * at + 2).map((each) => run(SITE, each))),
  );
  await Promise.all(inBoth.flat());
  expect(pools).toEqual(["jobs", "writes", "jobs", "writes"]);
});

test("one that fails takes nothing from those it shared a commit with", async () => {
  const writes = writesOf(4);
  const { run } = testConnection({ wrong: writes[2]! });
  const results = await Promise.allSettled(writes.map((write) => run(SITE, write)));
  expect(results.map((result) => (result.status === "fulfilled" ? result.value.write : String(result.reason)))).toEqual([
    writes[0],
    writes[1],
    "Error: a constraint",
    writes[3],
  ]);
});

test("when the connection breaks at the commit, each hears so and none is written again", async () => {
  const { run, log } = testConnection({
    commit: () => {
      throw new Failure("CONTENT_STORE_UNAVAILABLE", "gone");
    },
  });
  const writes = writesOf(3);
  const results = await Promise.allSettled(writes.map((write) => run(SITE, write)));
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  expect(log).toEqual([writes.slice(0, 1), writes.slice(1)]);
});
