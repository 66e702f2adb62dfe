import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { besideWriters } from "./delivery/beside-writers.ts";
import { createComparison, FULL_LOAD, rowOf, type Run, WARM_UP_MILLIS } from "./delivery/compare.ts";
import { ask, createProcesses, hear, twoCores } from "./delivery/processes.ts";
import { jsonOf, record, recordAll, requestText } from "./delivery/record.ts";
import { BARS, judge, printReport, type Row } from "./delivery/report.ts";
import { POSTS, POSTS_OF_MANY, type Seeded, type Served, WEBSITES, type WriterSession } from "./delivery/shared.ts";

/**
 * `npm run bench`: what the read path can do, against a bare node:http server that sends the same bytes with as many headers.
 * The server has one core, the load the other. Both servers are asked by turns, so that whatever else the machine does falls
 * on both alike. Loopback only; writing takes two minutes and measuring two. Fails below the bars. `-- delivery --data FOLDER`
 * keeps what was written for the next run.
 */
const RESULTS = new URL("../../../.cache/bench/", import.meta.url);
/** For what is compared by the time that one takes: many short rounds by turns. */
const ONE_BY_ONE = { connections: 1, millis: 700 };
const DEPTH_ROUNDS = 6;
const DEEP_PAGE = 400;
const PAGE = 25;

/** Numbers that no bench reaches: the buckets and the quota are asked, but never refuse. */
const PLANS = {
  team: { requestsPerMonth: 1e9, ratePerSecond: 1e6, burst: 1e6, websites: null, storageBytes: null, liveKeys: null },
};

const { values: given } = parseArgs({ options: { data: { type: "string" } } });
const folder = given.data ? path.resolve(given.data) : await mkdtemp(path.join(tmpdir(), "stet-bench-"));
const processes = createProcesses();
try {
  await mkdir(folder, { recursive: true });
  const plans = path.join(folder, "plans.json");
  await writeFile(plans, JSON.stringify(PLANS));
  const env = { STET_DATA: path.join(folder, "data"), STET_PLANS: plans, HOST: "127.0.0.1", PORT: "4000" };
  const { userId, websiteId, key, keys } = await seeded(env);

  const cores = await twoCores();
  const server = processes.start("server", cores[0], env);
  const { origin, port, coldPort } = await hear<Served>(server);
  const bare = processes.start("bare", cores[0]);
  const barePort = await hear<number>(bare);
  const client = processes.start("load", cores[1]);
  const writers = processes.start("writers", cores[1]);
  const session: WriterSession = { port, origin, cookie: await ask<string>(server, { signIn: userId }), websiteId };
  await ask(writers, session);
  console.log(cores[0] === undefined ? "No taskset here: the cores are shared." : `Server on core ${cores[0]}, load on core ${cores[1]}.`);

  const { run, against } = createComparison({ process: server, port }, { process: bare, port: barePort }, client);
  const uncached = { process: server, port: coldPort };

  const list = `/v1/blog/posts?limit=${PAGE}`;
  const listed = await record(port, list, key);
  const single = `/v1/blog/posts/${jsonOf<{ data: { slug: string }[] }>(listed).data[0]!.slug}`;
  const many = `/v1/blog/posts?limit=${POSTS_OF_MANY}`;
  const unchanged = { "If-None-Match": listed.etag };
  const everyKey = keys.map((each) => requestText(many, each));

  const rows: Row[] = [
    await against("(b) list", [listed], [requestText(list, key)]),
    await against("(c) one post", [await record(port, single, key)], [requestText(single, key)]),
    await against("(d) 304", [await record(port, list, key, unchanged)], [requestText(list, key, unchanged)]),
    await against(`(g) ${WEBSITES} websites`, await recordAll(port, many, keys), everyKey),
  ];

  // Without a memory.
  const deep = await deepTarget(port, key);
  const first: Run[] = [];
  const deepest: Run[] = [];
  for (let round = 0; round < DEPTH_ROUNDS; round++) {
    first.push(await run(uncached, [requestText(list, key)], ONE_BY_ONE));
    deepest.push(await run(uncached, [requestText(deep, key)], ONE_BY_ONE));
  }
  rows.push(rowOf("(e) cache off, page 1", first, listed), rowOf(`(e) cache off, page ${DEEP_PAGE}`, deepest, listed));
  const quickest = (runs: readonly Run[]) => Math.min(...runs.map((each) => each.p50Millis));
  const depth = quickest(deepest) / quickest(first);

  const query = "/v1/blog/search?q=test&limit=10";
  const found = await record(port, query, key);
  rows.push(rowOf("(f) search, cache off", [await run(uncached, [requestText(query, key)], ONE_BY_ONE)], found));
  rows.push(await against("(f) search, hot", [found], [requestText(query, key)]));

  const hot = { port, requests: [requestText(list, key)], warmUpMillis: WARM_UP_MILLIS, ...FULL_LOAD, millis: 2_000 };
  const writing = await besideWriters(server, client, writers, hot);

  const rssMegabytes = Math.max(...rows.map((row) => row.rssMegabytes));
  const others = { depth, deepPage: DEEP_PAGE, writing, rssMegabytes };
  printReport(rows, others);
  const problems = judge(rows, others);
  await mkdir(RESULTS, { recursive: true });
  const results = { node: process.version, rows, besideWriters: writing, deepPageTimesFirst: depth, rssMegabytes, bars: BARS, problems };
  await writeFile(new URL("delivery.json", RESULTS), `${JSON.stringify(results, null, 2)}\n`);
  if (problems.length > 0) {
    console.error(`Below the bars:\n${problems.map((line) => `  ${line}`).join("\n")}`);
    process.exitCode = 1;
  }
  const stopped = once(server, "exit");
  server.disconnect();
  await stopped;
} finally {
  processes.killAll();
  if (!given.data) await rm(folder, { recursive: true, force: true });
}

/** Writes what is to be read, unless the folder has it from the last run. */
async function seeded(env: Record<string, string>): Promise<Seeded> {
  const file = path.join(folder, "seeded.json");
  const before = await readFile(file, "utf8").catch(() => null);
  if (before !== null) return JSON.parse(before) as Seeded;
  console.log(`Writing ${POSTS} posts, and ${WEBSITES} websites with ${POSTS_OF_MANY} each …`);
  const seeding = processes.start("seed", undefined, env);
  const end = once(seeding, "exit");
  const keys = await hear<Seeded>(seeding);
  await end;
  await writeFile(file, JSON.stringify(keys));
  return keys;
}

/** Walks to the deep page by its cursors, in larger steps. */
async function deepTarget(port: number, key: string): Promise<string> {
  const step = 75;
  let cursor: string | null = null;
  for (let left = (DEEP_PAGE - 1) * PAGE; left > 0; left -= step) {
    const target: string = `/v1/blog/posts?limit=${Math.min(step, left)}${cursor ? `&cursor=${cursor}` : ""}`;
    cursor = jsonOf<{ pagination: { nextCursor: string } }>(await record(port, target, key)).pagination.nextCursor;
  }
  return `/v1/blog/posts?limit=${PAGE}&cursor=${cursor}`;
}
