import type { ChildProcess } from "node:child_process";
import { ask } from "./processes.ts";
import { type Load, type Measured, type ProcessUsage, WRITERS } from "./shared.ts";

/** What readers get while people write, as a share of what they get otherwise. */
export interface BesideWriters {
  /** Requests a second, without the saves and with them. */
  readonly alone: number;
  readonly beside: number;
  readonly savesPerSecond: number;
  /** The middle one of all pairs of rounds. */
  readonly ratio: number;
  /** What the saves leave of a core, by the processor time that one takes with its database: holds on a busy machine too. */
  readonly ratioByCpu: number;
  /** How much of its core the server had without saves, 0 to 1. */
  readonly serverBusy: number;
}

const ROUNDS = 7;

/** Hot reads without saves and with them by turns, so that whatever else the machine does falls on both alike. */
export async function besideWriters(server: ChildProcess, client: ChildProcess, writers: ChildProcess, load: Load): Promise<BesideWriters> {
  async function run() {
    const before = await ask<ProcessUsage>(server, "usage");
    const started = performance.now();
    const measured = await ask<Measured>(client, load);
    const micros = (performance.now() - started) * 1_000;
    const after = await ask<ProcessUsage>(server, "usage");
    const other = Object.keys(measured.statuses).filter((status) => status !== "200");
    if (other.length > 0) throw new Error(`Reads beside ${WRITERS} writers were answered with ${other.join(", ")}.`);
    return { ...measured, micros, cpuMicros: after.treeMicros - before.treeMicros };
  }

  const pairs: BesideWriters[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await run();
    await ask<number>(writers, "write");
    const beside = await run();
    const saves = await ask<number>(writers, "rest");
    const microsOfSave = (beside.cpuMicros - (alone.cpuMicros / alone.answers) * beside.answers) / saves;
    pairs.push({
      alone: alone.requestsPerSecond,
      beside: beside.requestsPerSecond,
      ratio: beside.requestsPerSecond / alone.requestsPerSecond,
      ratioByCpu: 1 - (microsOfSave * WRITERS) / 1e6,
      savesPerSecond: saves / (beside.micros / 1e6),
      serverBusy: alone.cpuMicros / alone.micros,
    });
  }
  const middle = (of: keyof (typeof pairs)[number]): number =>
    pairs.map((pair) => pair[of]).toSorted((a, b) => a - b)[Math.floor(pairs.length / 2)]!;
  return {
    alone: middle("alone"),
    beside: middle("beside"),
    savesPerSecond: middle("savesPerSecond"),
    ratio: middle("ratio"),
    ratioByCpu: middle("ratioByCpu"),
    serverBusy: middle("serverBusy"),
  };
}
