import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { ask, createProcesses } from "./delivery/processes.ts";
import { requestText } from "./delivery/record.ts";
import type { Load, Measured } from "./delivery/shared.ts";
import { openSignedIn, type SignedInService } from "./signed-in-service.ts";

/**
 * `npm run bench -- processes`: how many ready answers a second two serving processes send (STET_PROCESSES=2) against one, with the load on
 * the same cores. Both services run, and are asked by turns; the middle of the rounds' ratios counts, and less than the bar fails.
 */
const BAR = 1.3;
const ROUNDS = 7;
const POSTS = 10;
const CONNECTIONS = 64;
const MILLIS = 2_000;
const RESULTS = new URL("../../../.cache/bench/", import.meta.url);

const { values: given } = parseArgs({ options: { rounds: { type: "string" } } });
const folder = await mkdtemp(path.join(tmpdir(), "stet-bench-"));
const plans = path.join(folder, "plans.json");
await writeFile(plans, JSON.stringify({ team: { requestsPerMonth: 1e9, ratePerSecond: 1e6, burst: 1e6 } }));
const root = path.resolve(import.meta.dirname, "../../..");
const services: SignedInService[] = [];
const processes = createProcesses();
const rounds: { one: number; two: number }[] = [];
try {
  for (const count of ["1", "2"]) {
    const service = await openSignedIn(root, path.join(folder, count), { STET_PLANS: plans, STET_PROCESSES: count });
    services.push(service);
    for (let n = 0; n < POSTS; n++) {
      const { data } = (await (await service.ask("create_post", { title: `Post ${n}`, body: "Words. ".repeat(500) })).json()) as {
        data: { id: string; version: number };
      };
      await service.ask("publish_post", { postId: data.id, expectedVersion: data.version });
    }
  }
  const client = processes.start("load", undefined);
  const perSecond = async ({ service, key }: SignedInService): Promise<number> => {
    const load: Load = {
      port: Number(new URL(service.url).port),
      requests: [requestText(`/v1/blog/posts?limit=${POSTS}`, key)],
      connections: CONNECTIONS,
      warmUpMillis: 500,
      millis: MILLIS,
    };
    const measured = await ask<Measured>(client, load);
    if (Object.keys(measured.statuses).join() !== "200") throw new Error(`Answers: ${JSON.stringify(measured.statuses)}`);
    return measured.requestsPerSecond;
  };
  for (let round = 0; round < Number(given.rounds ?? ROUNDS); round++) {
    rounds.push({ one: await perSecond(services[0]!), two: await perSecond(services[1]!) });
  }
} finally {
  processes.killAll();
  for (const { service } of services) await service.stop();
  await rm(folder, { recursive: true, force: true });
}

const middle = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
const row = {
  "one process": Math.round(middle(rounds.map(({ one }) => one))),
  "two processes": Math.round(middle(rounds.map(({ two }) => two))),
  times: Math.round(middle(rounds.map(({ one, two }) => two / one)) * 100) / 100,
  bar: BAR,
};
console.table([row]);
await mkdir(RESULTS, { recursive: true });
await writeFile(new URL("processes.json", RESULTS), `${JSON.stringify(row, null, 2)}\n`);
if (row.times < BAR) process.exitCode = 1;
