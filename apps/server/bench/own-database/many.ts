import { fork } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { setPriority, tmpdir } from "node:os";
import path from "node:path";
import { openHostileClusters } from "#test/own-databases/hostile-clusters";
import { openManyClusters } from "#test/own-databases/many-clusters";
import { serveWebsites } from "#test/own-databases/serve-websites";
import { ask } from "../delivery/processes.ts";
import type { OpenLoad, OpenMeasured } from "./open-loop.ts";
import { cpuMillis, middle, round2, sizeOf } from "./shared.ts";

/** Many short rounds by turns, so that whatever else the machine does falls on all kinds alike. */
const ROUNDS = 24;
const ROUND_MILLIS = 3_000;
/** Readers of the websites that are measured, all together. */
const PER_SECOND = 60;
const DEAD_PER_SECOND = 30;
const OTHERS_PER_SECOND = 10;
const HOSTILE_PER_SECOND = 4;
const TARGET = 1.2;

/**
 * A service with so many websites, each on a database at an address of its own, three of ten of them dead. A fifth of all is read, alone and
 * beside readers of the dead, of hostile ones, and of more than can be open at once.
 */
export async function measureMany(count: number, roundCount = ROUNDS): Promise<{ result: object; missed: string[] }> {
  const folder = await mkdtemp(path.join(tmpdir(), "stet-bench-"));
  const clusters = await openManyClusters();
  const hostile = await openHostileClusters();
  const start = () => fork(new URL("./open-loop.ts", import.meta.url), { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [readers, besides, churners] = [start(), start(), start()];
  const dead = Math.floor(count * 0.3);
  const urls = Array.from({ length: count }, (_, n) => (n < count - dead ? clusters.healthy(n) : clusters.dead(n)));
  const env = { STET_DATA: path.join(folder, "data"), STET_ALLOW_PRIVATE_TARGETS: "127.1.0.0/16" };
  const { service, websites } = await serveWebsites(env, [...urls, ...Object.values(hostile.urls)]);
  // The hostile databases are in this process. Customers' machines are elsewhere: they must not take the processor from the service.
  setPriority(19);
  console.log(`many: ${count} websites, ${dead} dead …`);
  try {
    const port = Number(new URL(service.url).port);
    const keysOf = (from: number, to: number) => websites.slice(from, to).map(({ key }) => key);
    const read = keysOf(0, Math.floor(count / 5));
    const groups = {
      dead: keysOf(count - dead, count),
      others: keysOf(Math.floor(count / 5), count - dead),
      hostile: keysOf(count, websites.length),
    };
    let asked = 0;
    const load = (keys: readonly string[], perSecond: number, millis = ROUND_MILLIS): OpenLoad => {
      const first = asked;
      // A new variant for every website of the group.
      asked += Math.ceil((perSecond * millis) / 1_000 / keys.length) * keys.length;
      return { port, keys, perSecond, millis, first: Math.ceil(first / keys.length) * keys.length };
    };
    const size = { started: await sizeOf(service) } as Record<string, Awaited<ReturnType<typeof sizeOf>>>;
    await ask(readers, load(read, PER_SECOND, (read.length / PER_SECOND) * 1_500));
    size.open = await sizeOf(service);
    // Each once before: what a process does for the first time takes it longer.
    for (const keys of [groups.hostile, groups.dead.slice(0, 30)]) {
      await ask(besides, load(keys, HOSTILE_PER_SECOND, (keys.length / HOSTILE_PER_SECOND) * 1_000));
    }

    const rounds: Record<string, (OpenMeasured & { cpu: number })[]> = { alone: [], dead: [], hostile: [], churn: [] };
    const kinds: Record<string, () => Promise<unknown>> = {
      alone: async () => {},
      dead: () => ask(besides, load(groups.dead, DEAD_PER_SECOND)),
      hostile: () => ask(besides, load(groups.hostile, HOSTILE_PER_SECOND)),
      churn: () => Promise.all([ask(besides, load(groups.dead, DEAD_PER_SECOND)), ask(churners, load(groups.others, OTHERS_PER_SECOND))]),
    };
    const measure = async (kind: string, round: number) => {
      const before = cpuMillis(service.pid);
      const other = kinds[kind]!();
      const measured = await ask<OpenMeasured>(readers, load(read, PER_SECOND));
      await other;
      rounds[kind]!.push({ ...measured, cpu: cpuMillis(service.pid) - before });
      size[kind] = await sizeOf(service);
      process.stderr.write(`Round ${round + 1} of ${roundCount}, ${kind}\n`);
    };
    // To and fro, so that none always comes after the same one; what opens and closes hundreds of clients comes last, because that goes on afterwards.
    const order = ["alone", "dead", "hostile"];
    for (let round = 0; round < roundCount; round++) for (const kind of round % 2 ? order.toReversed() : order) await measure(kind, round);
    for (let round = 0; round < roundCount; round++) await measure("churn", round);
    const quantile = (kind: string, share: number) => {
      const all = rounds[kind]!.flatMap(({ times }) => times).toSorted((a, b) => a - b);
      return all[Math.min(all.length - 1, Math.floor(all.length * share))]!;
    };
    const rows = Object.entries(rounds).map(([kind, measured]) => ({
      beside: kind,
      "p50, ms": round2(quantile(kind, 0.5)),
      "p99, ms": round2(quantile(kind, 0.99)),
      "p99 / alone": round2(quantile(kind, 0.99) / quantile("alone", 0.99)),
      "cpu, ms a second": Math.round(middle(measured.map(({ cpu }) => cpu)) / (ROUND_MILLIS / 1_000)),
      statuses: JSON.stringify(measured.reduce<Record<string, number>>((sum, { statuses }) => added(sum, statuses), {})),
      ...size[kind],
    }));
    console.table(rows);
    console.table(size);
    const { open, addresses } = await clusters.counts();
    console.log(`At the databases: ${open} connections at ${addresses} addresses.`);
    const missed = rows.filter((row) => row.beside !== "churn" && row["p99 / alone"] > TARGET).map((row) => `p99 beside ${row.beside}`);
    if (rows.some(({ statuses }) => !/^\{"200":\d+\}$/.test(statuses))) missed.push("a healthy website was not answered");
    return { result: { websites: count, rows, size }, missed };
  } finally {
    for (const child of [readers, besides, churners]) child.kill();
    await service.stop();
    await clusters.close();
    await hostile.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const added = (sum: Readonly<Record<string, number>>, more: Readonly<Record<string, number>>) =>
  Object.fromEntries([...new Set([...Object.keys(sum), ...Object.keys(more)])].map((key) => [key, (sum[key] ?? 0) + (more[key] ?? 0)]));
