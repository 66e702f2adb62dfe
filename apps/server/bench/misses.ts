import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { freePort } from "#test/free-port";
import { ask, createProcesses, twoCores } from "./delivery/processes.ts";
import { jsonOf, record, requestText } from "./delivery/record.ts";
import { type Load, type Measured, microsOf, POSTS } from "./delivery/shared.ts";

/**
 * `npm run bench -- misses`: what answers cost that nobody has asked for before, in a website with 10,000 posts. Every request is sent once.
 * Service and database share one core, the load has the other; what counts is the processor time of both for one answer, which a busy
 * machine changes little. With `--against PATH`, a checkout of another commit with its packages installed, both are asked by turns, the
 * middle of the rounds' ratios counts, and a missed target fails. `--data FOLDER` keeps what was written for the next run.
 */
const ROUNDS = 5;
const LOAD = { connections: 16, warmUpMillis: 200, millis: 800 };
/** The same list in all orders and in sizes that differ little: the work is about the same, the answers are not. */
const SORTS = ["-publishedAt", "publishedAt", "-createdAt", "createdAt", "-updatedAt", "updatedAt"];
const SIZES = [21, 22, 23, 24, 25, 26, 27, 28, 29];
/** Words of the sample posts, common and rare; each is asked for in every spelling of large and small letters. */
const WORDS = ["version", "window", "people", "deploy", "metric", "cluster", "schedule", "testing"];
const TARGETS: Readonly<Record<Kind, number>> = { lists: 2.4, "posts by slug": 2, searches: 3.3 };
const RESULTS = new URL("../../../.cache/bench/", import.meta.url);
/** Numbers that no bench reaches: the buckets and the quota are asked, but never refuse. */
const PLANS = {
  team: { requestsPerMonth: 1e9, ratePerSecond: 1e6, burst: 1e6, websites: null, storageBytes: null, liveKeys: null },
};

type Kind = "lists" | "posts by slug" | "searches";

interface Side {
  readonly service: ChildProcess;
  readonly port: number;
  /** What was not asked for yet. */
  readonly requests: Record<Kind, string[]>;
}

const { values: given } = parseArgs({ options: { against: { type: "string" }, data: { type: "string" }, rounds: { type: "string" } } });
const folder = given.data ? path.resolve(given.data) : await mkdtemp(path.join(tmpdir(), "stet-bench-"));
const here = path.resolve(import.meta.dirname, "../../..");
const roots = given.against ? [here, path.resolve(given.against)] : [here];
const processes = createProcesses();
const sides: Side[] = [];
const kinds = Object.keys(TARGETS) as Kind[];
const measured: Record<Kind, number>[][] = roots.map(() => []);
try {
  const [serverCore, loadCore] = await twoCores();
  for (const [index, root] of roots.entries()) sides.push(await openSide(root, path.join(folder, String(index)), serverCore));
  const client = processes.start("load", loadCore);
  for (let round = 0; round <= Number(given.rounds ?? ROUNDS); round++) {
    const inRound: Record<Kind, number>[] = sides.map(() => ({ lists: 0, "posts by slug": 0, searches: 0 }));
    for (const kind of kinds) {
      for (const [index, side] of sides.entries()) inRound[index]![kind] = await measure(client, side, kind);
    }
    // The first round warms up.
    if (round > 0) for (const [index, each] of inRound.entries()) measured[index]!.push(each);
  }
} finally {
  processes.killAll();
  for (const { service } of sides) {
    const stopped = once(service, "exit");
    service.kill();
    await stopped;
  }
  if (!given.data) await rm(folder, { recursive: true, force: true });
}

const [ours, theirs] = measured;
const rows = kinds.map((kind) => ({
  kind,
  milliseconds: inHundredths(middle(ours!.map((round) => round[kind]))),
  ...(theirs && {
    against: inHundredths(middle(theirs.map((round) => round[kind]))),
    times: inHundredths(middle(ours!.map((round, n) => theirs[n]![kind] / round[kind]))),
    target: TARGETS[kind],
  }),
}));
console.table(rows);
await mkdir(RESULTS, { recursive: true });
await writeFile(new URL("misses.json", RESULTS), `${JSON.stringify(rows, null, 2)}\n`);
if (rows.some((row) => row.times !== undefined && row.times < TARGETS[row.kind])) process.exitCode = 1;

/** A service of this checkout or another one, in a data folder of its own. */
async function openSide(root: string, data: string, core: number | undefined): Promise<Side> {
  await mkdir(data, { recursive: true });
  const plans = path.join(data, "plans.json");
  await writeFile(plans, JSON.stringify(PLANS));
  const cli = path.join(root, "apps/server/src/main/cli.ts");
  const settings = { PATH: process.env.PATH, STET_DATA: path.join(data, "data"), STET_PLANS: plans, STET_LOG: "warn" };
  const key = await seeded(cli, data, settings);
  const port = await freePort();
  const program = [process.execPath, ...process.execArgv, cli, "serve"] as const;
  const [command, ...args] = core === undefined ? program : (["taskset", "-c", String(core), ...program] as const);
  const service = spawn(command, args, { env: { ...settings, PORT: String(port) }, stdio: ["ignore", "ignore", "inherit"] });
  while ((await statusOf(port)) !== 200) await sleep(50);
  return { service, port, requests: await requestsFor(port, key) };
}

async function statusOf(port: number): Promise<number> {
  return fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ status }) => status,
    () => 0,
  );
}

/** Answers the key. Writes what is to be read, unless the folder has it from the last run. */
async function seeded(cli: string, data: string, settings: NodeJS.ProcessEnv): Promise<string> {
  const file = path.join(data, "key");
  const before = await readFile(file, "utf8").catch(() => null);
  if (before !== null) return before;
  console.log(`Writing ${POSTS} posts …`);
  const names = ["--email", "bench@example.com", "--password", "a password for the bench", "--workspace", "Bench", "--website", "Bench"];
  const command = [cli, "bootstrap", ...names, "--plan", "team", "--posts", String(POSTS), "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, command, { env: settings });
  const { apiKey } = JSON.parse(stdout) as { apiKey: string };
  await writeFile(file, apiKey);
  return apiKey;
}

/** Cursors and slugs are read by pages of a hundred, which are none of the addresses that are measured. */
async function requestsFor(port: number, key: string): Promise<Side["requests"]> {
  const lists: string[] = [];
  const slugs = new Set<string>();
  for (const sort of SORTS) {
    let cursor = "";
    do {
      const page = await record(port, `/v1/blog/posts?limit=100&sort=${sort}${cursor}`, key);
      const { data, pagination } = jsonOf<{ data: { slug: string }[]; pagination: { nextCursor: string | null } }>(page);
      for (const { slug } of data) slugs.add(slug);
      cursor = pagination.nextCursor === null ? "" : `&cursor=${encodeURIComponent(pagination.nextCursor)}`;
      if (cursor !== "") lists.push(...SIZES.map((size) => `/v1/blog/posts?limit=${size}&sort=${sort}${cursor}`));
    } while (cursor !== "");
  }
  const searches = WORDS.flatMap(spellings).map((word) => `/v1/blog/search?q=${word}&limit=10`);
  const asked = (targets: readonly string[]) => shuffled(targets).map((target) => requestText(target, key));
  return { lists: asked(lists), "posts by slug": asked([...slugs].map((slug) => `/v1/blog/posts/${slug}`)), searches: asked(searches) };
}

function spellings(word: string): string[] {
  const letters = [...word];
  return Array.from({ length: 2 ** letters.length }, (_, bits) =>
    letters.map((letter, index) => ((bits >> index) & 1 ? letter.toUpperCase() : letter)).join(""),
  );
}

/** In an order that has nothing to do with that of the posts, and is the same each time. */
function shuffled<T>(values: readonly T[]): T[] {
  const step = 7_919;
  return values.map((_, index) => values[(index * step) % values.length]!);
}

/** Milliseconds of processor time for one answer. */
async function measure(client: ChildProcess, { service, port, requests }: Side, kind: Kind): Promise<number> {
  const load: Load = { port, requests: requests[kind], ...LOAD };
  const before = microsOf(service.pid!);
  const { answers, statuses } = await ask<Measured>(client, load);
  const millis = (microsOf(service.pid!) - before) / 1_000 / answers;
  if (Object.keys(statuses).some((status) => status !== "200")) throw new Error(`${kind}: answered with ${JSON.stringify(statuses)}.`);
  if (answers > requests[kind].length) throw new Error(`${kind}: there were too few requests to ask each once.`);
  requests[kind].splice(0, answers);
  return millis;
}

function inHundredths(value: number): number {
  return Math.round(value * 100) / 100;
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
