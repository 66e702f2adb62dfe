import type { ChildProcess } from "node:child_process";
import { ask } from "./processes.ts";
import type { Row } from "./report.ts";
import type { Answer, Load, Measured, ProcessUsage } from "./shared.ts";

/** Many short ones: a machine that others share is disturbed for seconds at a time. */
const ROUNDS = 9;
const CONNECTIONS = 32;
export const WARM_UP_MILLIS = 200;
const MILLIS = 700;
export const FULL_LOAD = { connections: CONNECTIONS, millis: MILLIS };

export interface Run extends Measured {
  readonly cpuMicros: number;
  readonly serverBusy: number;
  readonly rssMegabytes: number;
}

interface Server {
  readonly process: ChildProcess;
  readonly port: number;
}

/** The service beside a bare server, asked by one client. */
export function createComparison(server: Server, bare: Server, client: ChildProcess) {
  async function run({ process: target, port }: Server, requests: readonly string[], { connections, millis } = FULL_LOAD): Promise<Run> {
    const before = await ask<ProcessUsage>(target, "usage");
    const started = performance.now();
    const load: Load = { port, requests, connections, warmUpMillis: WARM_UP_MILLIS, millis };
    const measured = await ask<Measured>(client, load);
    const micros = (performance.now() - started) * 1_000;
    const after = await ask<ProcessUsage>(target, "usage");
    const cpu = after.cpuMicros - before.cpuMicros;
    return { ...measured, cpuMicros: cpu / measured.answers, serverBusy: cpu / micros, rssMegabytes: after.rssBytes / 1e6 };
  }

  /** The service and the bare server by turns; of each the best round counts, because a disturbance only ever slows. */
  async function against(name: string, answers: readonly [Answer, ...Answer[]], requests: readonly string[]): Promise<Row> {
    const [answer] = answers;
    await ask(bare.process, answers);
    // Everything is asked for once first, so that it is hot.
    await run(server, requests);
    const ours: Run[] = [];
    const theirs: Run[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      theirs.push(await run(bare, requests));
      ours.push(await run(server, requests));
    }
    for (const { statuses } of [...ours, ...theirs]) expectOnly(name, statuses, answer.status);
    return { ...rowOf(name, ours, answer), bare: { requestsPerSecond: best(theirs).requestsPerSecond, cpuMicros: leastCpu(theirs) } };
  }
  return { run, against };
}

export function rowOf(name: string, runs: readonly Run[], answer: Answer): Row {
  const { requestsPerSecond, p50Millis, p99Millis, clientBusy, serverBusy } = best(runs);
  const cpuMicros = leastCpu(runs);
  const bytes = Buffer.from(answer.body, "base64").length;
  const rssMegabytes = Math.max(...runs.map((each) => each.rssMegabytes));
  return { name, requestsPerSecond, p50Millis, p99Millis, bytes, rssMegabytes, cpuMicros, bare: null, serverBusy, clientBusy };
}

function best(runs: readonly Run[]): Run {
  return runs.toSorted((a, b) => b.requestsPerSecond - a.requestsPerSecond)[0]!;
}

function leastCpu(runs: readonly Run[]): number {
  return Math.min(...runs.map((run) => run.cpuMicros));
}

function expectOnly(name: string, statuses: Measured["statuses"], expected: number): void {
  const other = Object.keys(statuses).filter((status) => status !== String(expected));
  if (other.length > 0) throw new Error(`${name} was answered with ${other.join(", ")} instead of ${expected}: it measures nothing.`);
}
