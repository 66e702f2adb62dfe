import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "#test/free-port";

const CLI = path.resolve(import.meta.dirname, "../src/main/cli.ts");
const KEPT_LINES = 40;

/** `stet serve` in a process of its own. */
export interface ServiceProcess {
  readonly url: string;
  readonly pid: number;
  hasEnded(): boolean;
  /** The last lines of its log. */
  log(): string;
  fetch(path: string, init?: RequestInit): Promise<Response>;
  stop(): Promise<void>;
}

/** Starts the service, of this checkout unless told, with these settings and nothing of the caller's environment; answers when it is ready. */
export async function startService(settings: Record<string, string>, cli = CLI): Promise<ServiceProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [cli, "serve"], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, PORT: String(port), STET_LOG: "warn", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const told: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on("line", (line) => {
      told.push(line.slice(0, 2_000));
      if (told.length > KEPT_LINES) told.shift();
    });
  }
  const closed = once(child, "close");
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const log = () => told.join("\n");
  const statusOf = () =>
    fetch(`${url}/readyz`).then(
      ({ status }) => status,
      () => 0,
    );
  while ((await statusOf()) !== 200) {
    if (hasEnded()) throw new Error(`The service ended: ${log()}`);
    await sleep(25);
  }
  return {
    url,
    pid: child.pid!,
    hasEnded,
    log,
    fetch: (below, init) => fetch(url + below, init),
    async stop() {
      if (!hasEnded()) child.kill("SIGTERM");
      await closed;
    },
  };
}
