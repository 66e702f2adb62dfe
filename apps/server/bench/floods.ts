import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { openSignedIn } from "./signed-in-service.ts";

/**
 * `npm run bench -- floods`: 200 posts of 1 MiB are created all at once, then published all at once, while readers of the same website read
 * its list and its posts. Those who are refused are told so within two seconds, and come again when they were told to. Readers' p95, the
 * memory of the process and the longest refusal have bars; a missed one fails. Beside them stands what readers see when nobody writes: on a busy
 * machine only the comparison says something. `--posts N` sends fewer, `--root PATH` floods another checkout.
 */
const READERS = 4;
const QUIET_MILLIS = 5_000;
const BARS = { readersP95: 200, megabytes: 600, refusalMillis: 2_000 };
const SENTENCE = "What is written is saved as it is written, and nobody is made to wait for it. ";
const PARAGRAPH = `${SENTENCE.repeat(12)}It has **words**, [links](https://example.com/a) and \`code\`.\n\n`;
const LARGE = PARAGRAPH.repeat(Math.floor((1024 * 1024 - 64) / PARAGRAPH.length));
const RESULTS = new URL("../../../.cache/bench/", import.meta.url);

const { values: given } = parseArgs({ options: { root: { type: "string" }, posts: { type: "string" } } });
const POSTS = Number(given.posts ?? 200);
const folder = await mkdtemp(path.join(tmpdir(), "stet-bench-"));
const root = path.resolve(given.root ?? path.join(import.meta.dirname, "../../.."));
const plans = path.join(folder, "plans.json");
await writeFile(plans, JSON.stringify({ team: { requestsPerMonth: 1e9, ratePerSecond: 1e6, burst: 1e6 } }));
const { service, key, ask } = await openSignedIn(root, path.join(folder, "data"), {
  STET_PLANS: plans,
  // The options that the service is started with (tools/run.mjs).
  NODE_OPTIONS: "--max-semi-space-size=8",
});

interface Round {
  readonly status: number[];
  readonly refusals: number[];
  readonly reads: number[];
  peak: number;
}

const sleep = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis));
const p = (share: number, values: readonly number[]): number =>
  Math.round(values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0);

/** Resident memory in MB: the service itself, without its database. */
async function residentMegabytes(): Promise<number> {
  const metrics = await (await service.fetch("/metrics")).text();
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(metrics)?.[1] ?? 0) / 1024 / 1024;
}

async function whileReading(addresses: readonly string[], work: (round: Round) => Promise<void>): Promise<Round> {
  const round: Round = { status: [], refusals: [], reads: [], peak: 0 };
  let done = false;
  const reader = async (n: number) => {
    for (let turn = n; !done; turn++) {
      const started = performance.now();
      const response = await service.fetch(`/v1/blog/${addresses[turn % addresses.length]}`, {
        headers: { Authorization: `Bearer ${key}` },
      });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`A reader was answered with ${response.status}.`);
      round.reads.push(performance.now() - started);
      await sleep(25);
    }
  };
  const watching = (async () => {
    while (!done) {
      round.peak = Math.max(round.peak, await residentMegabytes());
      await sleep(100);
    }
  })();
  const readers = Array.from({ length: READERS }, (_, n) => reader(n));
  await work(round);
  done = true;
  await Promise.all([watching, ...readers]);
  return round;
}

/** Until it is done; how long each refusal took is written down. */
async function insist<T>(round: Round, operation: string, input: object): Promise<T> {
  for (;;) {
    const started = performance.now();
    const response = await ask(operation, input);
    round.status.push(response.status);
    if (response.ok) return ((await response.json()) as { data: T }).data;
    const told = await response.text();
    if (response.status !== 429 && response.status !== 503) throw new Error(`${operation}: ${response.status} ${told}`);
    round.refusals.push(performance.now() - started);
    await sleep(Number(response.headers.get("Retry-After") ?? 5) * 1_000 * (0.5 + Math.random()));
  }
}

interface Draft {
  readonly id: string;
  readonly version: number;
}
const rows = [];
try {
  const small = await insist<Draft>({ status: [], refusals: [], reads: [], peak: 0 }, "create_post", { title: "Small", body: "Small." });
  await insist({ status: [], refusals: [], reads: [], peak: 0 }, "publish_post", { postId: small.id, expectedVersion: small.version });
  const addresses = ["posts?limit=10", "posts/small", "posts?limit=20&sort=title", "tags"];
  let drafts: Draft[] = [];
  const rounds: Record<string, Round> = {
    nobody: await whileReading(addresses, async () => void (await sleep(QUIET_MILLIS))),
    saves: await whileReading(addresses, async (round) => {
      const saves = Array.from({ length: POSTS }, (_, n) => insist<Draft>(round, "create_post", { title: `Large ${n}`, body: LARGE + n }));
      drafts = await Promise.all(saves);
    }),
    publishes: await whileReading(addresses, async (round) => {
      const publishes = drafts.map(({ id, version }) => insist(round, "publish_post", { postId: id, expectedVersion: version }));
      await Promise.all(publishes);
    }),
  };
  for (const [name, round] of Object.entries(rounds)) {
    rows.push({
      what: name,
      done: round.status.filter((status) => status === 200).length,
      refused: round.refusals.length,
      "longest refusal ms": p(1, round.refusals),
      reads: round.reads.length,
      "readers' p50 ms": p(0.5, round.reads),
      "readers' p95 ms": p(0.95, round.reads),
      "memory MB": Math.round(round.peak),
    });
  }
} finally {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}
console.table(rows);
await mkdir(RESULTS, { recursive: true });
await writeFile(new URL("floods.json", RESULTS), `${JSON.stringify(rows, null, 2)}\n`);
const missed = rows.filter(
  (row) => row["readers' p95 ms"] > BARS.readersP95 || row["memory MB"] > BARS.megabytes || row["longest refusal ms"] > BARS.refusalMillis,
);
if (missed.length > 0) process.exitCode = 1;
