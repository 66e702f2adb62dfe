import { once } from "node:events";
import { type Installation, joinInstallation } from "../compose.ts";
import { readConfig } from "../config.ts";
import { startHttpService } from "../http-service.ts";
import { logLibraryOutput } from "../log-library-output.ts";
import { createLog } from "../log.ts";
import { type ChildStart, ENDING_MILLIS, steadyMillis, type ToChild, type ToParent } from "./messages.ts";
import { createSiblingSignals } from "./sibling-signals.ts";
import { sumMetrics } from "./sum-metrics.ts";

/** How long `/metrics` waits for the numbers of the others, in milliseconds. */
const MEASURE_MILLIS = 2_000;

/** One of several processes that answer requests. It ends with its parent: `cluster` ends it when the channel closes. */
export async function serveAsChild(): Promise<number> {
  const { number, processes, server, secrets } = await untilStarted();
  const config = readConfig();
  const log = createLog(config.logLevel).child({ process: number });
  logLibraryOutput(log);
  const signals = createSiblingSignals(send, steadyMillis);
  const measures = createMeasures();
  // Ctrl-C and a closed terminal reach all processes: the parent decides what they mean.
  for (const signal of ["SIGINT", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("message", (message: ToChild) => {
    if (message.type === "measure" || message.type === "measured") measures.received(message);
    else signals.received(message);
  });
  let installation: Installation | null = null;
  try {
    installation = await joinInstallation(shareOf(config, processes), log, { server, secrets }, signals);
    const service = await startHttpService(installation, { gatherMetrics: measures.gather, beforeEach: () => signals.trustOrForget() });
    // The parent stops, or this process alone, which is then replaced. Before it serves it has nothing to finish, and the signal ends it.
    const stopped = once(process, "SIGTERM");
    send({ type: "ready" });
    await stopped;
    // The parent sees to it that this process ends. It may be killed itself.
    setTimeout(() => process.exit(1), config.drainMillis + ENDING_MILLIS).unref();
    await service.stop();
  } finally {
    await installation?.close();
    // The channel to the parent would keep the process, and closing it would hide that it failed. So might what a start that failed has left.
    process.channel?.unref();
    setTimeout(() => process.exit(), ENDING_MILLIS).unref();
  }
  return 0;
}

async function untilStarted(): Promise<ChildStart> {
  const first = once(process, "message");
  send({ type: "loaded" });
  const [message] = (await first) as [ToChild];
  if (message.type !== "start") throw new Error("The parent process did not say how to start.");
  return message.start;
}

function send(message: ToParent): void {
  // A parent that is gone takes this process with it.
  if (process.connected) process.send!(message, undefined, undefined, () => {});
}

/** With fewer connections, work that holds one while it needs another could wait for itself. */
const LEAST_CONNECTIONS = 4;

/** What the settings give to the machine is shared by its processes. */
function shareOf<C extends { connections: { reads: number; writes: number; jobs: number } }>(config: C, processes: number): C {
  const share = (connections: number) => Math.max(LEAST_CONNECTIONS, Math.ceil(connections / processes));
  const { reads, writes, jobs } = config.connections;
  return { ...config, connections: { reads: share(reads), writes: share(writes), jobs } };
}

/** Numbers of all processes, asked for by any of them. */
function createMeasures() {
  let own: (() => Promise<string>) | null = null;
  const waiting = new Map<number, (texts: readonly string[]) => void>();
  let lastId = 0;
  return {
    gather: (mine: () => Promise<string>) => {
      own = mine;
      return async () => {
        const id = ++lastId;
        let timer: NodeJS.Timeout | undefined;
        const texts = await new Promise<readonly string[] | null>((resolve) => {
          waiting.set(id, resolve);
          timer = setTimeout(resolve, MEASURE_MILLIS, null);
          send({ type: "measure", id });
        });
        clearTimeout(timer);
        waiting.delete(id);
        return sumMetrics(texts ?? [await mine()]);
      };
    },
    received(message: Extract<ToChild, { type: "measure" | "measured" }>) {
      const { id } = message;
      if (message.type === "measured") waiting.get(id)?.(message.texts);
      else void own?.().then((text) => send({ type: "measured", id, text }));
    },
  };
}
