import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { openEmbeddedPostgres } from "#adapters/embedded-postgres/open";
import { findRedis, type RedisServer } from "#test/redis";
import { startService } from "#test/service-process";
import { startNginx } from "./limits/nginx.ts";

/**
 * `npm run bench -- limits`: four nodes behind nginx without stickiness, asked for far more than the plan allows, with the ledger in
 * PostgreSQL and in Redis. Counted is what nginx logged, against the burst and the rate times the seconds. `--seconds N` makes each trial shorter.
 */
const CLI = path.resolve(import.meta.dirname, "../src/main/cli.ts");
const RESULTS = new URL("../../../.cache/bench/", import.meta.url);
const NODES = 4;
const CONNECTIONS = { free: 24, team: 80 };
/** Each client address has a bucket of its own at half the rate: enough of them that the website's is the one that refuses. */
const CLIENTS = 12;
const PAUSE_MILLIS = { free: 30, team: 2 };
const SECRET = "one secret that all the nodes of the bench share";
const PLANS = {
  free: { ratePerSecond: 10, burst: 50, requestsPerMonth: null },
  team: { ratePerSecond: 100, burst: 500, requestsPerMonth: null },
};

type Plan = keyof typeof PLANS;

interface Trial {
  readonly name: string;
  readonly plan: Plan;
  /** Of the limit, in percent. */
  readonly bar: readonly [least: number, most: number];
  /** A part of the rate, without a burst; absent: as fast as it goes. */
  readonly ofRate?: number;
  /** What happens after a part of the time. */
  readonly events?: readonly { readonly after: number; readonly what: "kill" | "back" | "end" }[];
}

const TRIALS: readonly Trial[] = [
  { name: "flooded, 10/s", plan: "free", bar: [97, 100] },
  { name: "flooded, 100/s", plan: "team", bar: [97, 100] },
  { name: "at 90 % of 10/s", plan: "free", bar: [0, 100], ofRate: 0.9 },
  { name: "at 90 % of 100/s", plan: "team", bar: [0, 100], ofRate: 0.9 },
  {
    name: "ledger killed, then back and empty",
    plan: "free",
    bar: [80, 110],
    events: [
      { after: 1 / 3, what: "kill" },
      { after: 2 / 3, what: "back" },
    ],
  },
  { name: "ledger gone midway", plan: "free", bar: [80, 110], events: [{ after: 1 / 2, what: "end" }] },
];

const { values: given } = parseArgs({ options: { seconds: { type: "string", default: "20" } } });
const seconds = Number(given.seconds);
const folder = await mkdtemp(path.join(tmpdir(), "stet-limits-"));
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS.team });
let failed = false;
let waitedBefore = 0;
const results: object[] = [];
try {
  for (const ledger of ["PostgreSQL", "Redis"] as const) await tryLedger(ledger);
  await mkdir(RESULTS, { recursive: true });
  await writeFile(new URL("limits.json", RESULTS), JSON.stringify(results, null, 2));
} finally {
  agent.destroy();
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;

async function tryLedger(ledger: "PostgreSQL" | "Redis"): Promise<void> {
  waitedBefore = 0;
  const found = findRedis();
  if (ledger === "Redis" && "missing" in found) throw new Error(`Redis: ${found.missing}`);
  const home = path.join(folder, ledger);
  const clusterFolder = path.join(home, "postgres");
  await mkdir(home, { recursive: true, mode: 0o755 });
  const cluster = await openEmbeddedPostgres({ folder: clusterFolder, role: "service", settings: { max_connections: "100" } });
  const { user, host, database } = cluster.connection;
  const redis: RedisServer | null = ledger === "Redis" && !("missing" in found) ? await found.part() : null;
  const plans = path.join(home, "plans.json");
  await writeFile(plans, JSON.stringify(PLANS));
  const settings = {
    DATABASE_URL: `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}`,
    STET_DATA: path.join(home, "data"),
    STET_PLANS: plans,
    STET_SECRET: SECRET,
    STET_TRUST_PROXY: "127.0.0.1",
    STET_METRICS: "on",
    ...(redis && { REDIS_URL: redis.url }),
  };
  const keys = [];
  for (const [number, trial] of TRIALS.entries()) keys.push(await makeKey(settings, trial.plan, number));
  const nodes = await Promise.all(Array.from({ length: NODES }, () => startService(settings)));
  const nginx = await startNginx(
    home,
    nodes.map(({ url }) => url),
  );
  try {
    while (
      !(await Promise.all(nodes.map((node) => node.fetch("/metrics").then((answer) => answer.text())))).every((text) =>
        text.includes(`stet_rate_nodes ${NODES}\n`),
      )
    ) {
      await sleep(100);
    }
    const happen = {
      kill: async () => (redis ? redis.kill() : process.kill(await postmaster(clusterFolder), "SIGKILL")),
      // The embedded PostgreSQL is started again by itself.
      back: async () => redis?.start(),
      end: async () => (redis ? redis.kill() : cluster.close()),
    };
    for (const [number, trial] of TRIALS.entries()) {
      const address = `/v1/blog/posts?limit=${number + 1}`;
      for (const { url } of nodes) await ask(url, address, keys[number]!, 0);
      // What that took has flowed back.
      await sleep(2_000);
      const events = (trial.events ?? []).map(({ after, what }) => sleep(after * seconds * 1_000).then(happen[what]));
      const from = Date.now() / 1_000;
      await Promise.all([...load(nginx.url, address, keys[number]!, trial), ...events]);
      report(
        ledger,
        trial,
        (await nginx.logged(address)).filter(({ at }) => at >= from),
        await waits(nodes),
      );
    }
  } finally {
    await nginx.stop();
    await Promise.all(nodes.map((node) => node.stop()));
    await redis?.close();
    await cluster.close();
  }
}

async function makeKey(settings: Record<string, string>, plan: Plan, number: number): Promise<string> {
  const names = [
    "--email",
    `${number}@example.com`,
    "--password",
    "a password for the bench",
    "--workspace",
    "Bench",
    "--website",
    `W${number}`,
  ];
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, "bootstrap", ...names, "--plan", plan, "--posts", "10", "--json"], {
    env: { PATH: process.env.PATH, STET_LOG: "warn", ...settings },
  });
  return (JSON.parse(stdout) as { apiKey: string }).apiKey;
}

async function postmaster(cluster: string): Promise<number> {
  return Number((await readFile(path.join(cluster, "postmaster.pid"), "utf8")).split("\n")[0]);
}

function ask(url: string, address: string, key: string, client: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const headers = { Authorization: `Bearer ${key}`, "X-Client": `203.0.113.${client}` };
  request(url + address, { agent, headers }, (answer) => {
    answer.resume().once("end", () => resolve(answer.statusCode ?? 0));
  })
    .once("error", reject)
    .end();
  return promise;
}

/** Evenly, where a part of the rate is asked for; else one after the other on every connection, with a small pause. */
function load(url: string, address: string, key: string, { plan, ofRate }: Trial): Promise<unknown>[] {
  const until = Date.now() + seconds * 1_000;
  let number = 0;
  if (ofRate === undefined) {
    return Array.from({ length: CONNECTIONS[plan] }, async () => {
      while (Date.now() < until) {
        await ask(url, address, key, number++ % CLIENTS);
        await sleep(PAUSE_MILLIS[plan]);
      }
    });
  }
  const perSecond = PLANS[plan].ratePerSecond * ofRate;
  return Array.from({ length: Math.floor(perSecond * seconds) }, (_, n) =>
    sleep((n * 1_000) / perSecond).then(() => ask(url, address, key, n % CLIENTS)),
  );
}

async function waits(nodes: readonly { fetch(path: string): Promise<Response> }[]): Promise<number> {
  const texts = await Promise.all(nodes.map((node) => node.fetch("/metrics").then((answer) => answer.text())));
  return texts.reduce((sum, text) => sum + Number(/^stet_rate_waits_total (\d+)/m.exec(text)?.[1] ?? 0), 0);
}

function report(ledger: string, trial: Trial, answers: readonly { at: number; status: number }[], waited: number): void {
  const { ratePerSecond, burst } = PLANS[trial.plan];
  const count = (wanted: number) => answers.filter(({ status }) => status === wanted).length;
  const times = answers.map(({ at }) => at);
  const limit = burst + ratePerSecond * (Math.max(...times) - Math.min(...times));
  const percent = (100 * count(200)) / limit;
  const others = answers.length - count(200) - count(429);
  const isGood = percent >= trial.bar[0] && percent <= trial.bar[1] && others === 0 && (trial.ofRate === undefined || count(429) === 0);
  failed ||= !isGood;
  const waitedNow = Math.max(0, waited - waitedBefore);
  waitedBefore = waited;
  results.push({
    ledger,
    trial: trial.name,
    asked: answers.length,
    admitted: count(200),
    refused: count(429),
    others,
    limit,
    percent,
    waited: waitedNow,
  });
  console.log(
    `${isGood ? "  ok" : "  !!"} ${ledger}, ${trial.name}: ${answers.length} asked, ${count(200)} admitted of ${limit.toFixed(1)} (${percent.toFixed(1)} %), ${count(429)} refused, ${others} other answers, ${waitedNow} waited`,
  );
}
