import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Answer, Ask } from "./request.ts";
import { sendRequest } from "./request.ts";
import { freePort } from "#test/free-port";

const CLI = path.join(import.meta.dirname, "../../src/main/cli.ts");

/** `stet serve` in a process of its own. */
export interface ServeProcess {
  readonly port: number;
  ask(path: string, ask?: Ask): Promise<Answer>;
  /** As an operator stops it. */
  stop(): Promise<void>;
  /** As a power cut does. */
  kill(): Promise<void>;
}

/** Starts services on one database; `close` stops those that still run. */
export async function processesOn(options: {
  databaseUrl: string;
  secret: string;
  plans: object;
  /** A MongoDB that holds the content. */
  contentUrl?: string;
  /** Other settings. */
  environment?: Readonly<Record<string, string>>;
  /** The address that people use. */
  publicUrl?: string;
}) {
  const folder = await mkdtemp(path.join(tmpdir(), "stet-nodes-"));
  const plans = path.join(folder, "plans.json");
  await writeFile(plans, JSON.stringify(options.plans));
  const running = new Set<ChildProcess>();

  async function end(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    running.delete(child);
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill(signal);
    await ended;
  }

  const settings = (port: number) => ({
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    PORT: String(port),
    STET_DATA: path.join(folder, String(port)),
    DATABASE_URL: options.databaseUrl,
    ...(process.env.STET_TEST_POOLER && { DATABASE_POOLER: "transaction" }),
    CONTENT_URL: options.contentUrl,
    STET_SECRET: options.secret,
    STET_PLANS: plans,
    STET_TRUST_PROXY: "true",
    STET_LOG: "error",
    PUBLIC_URL: options.publicUrl ?? "https://stet.test",
    ...options.environment,
  });

  return {
    /** Runs a command beside the services and answers what it printed. */
    async command(...args: string[]): Promise<string> {
      const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args], { env: settings(await freePort()) });
      return stdout;
    },
    /** On a port of its own, or on the one that another process had before it. */
    async start(given?: number): Promise<ServeProcess> {
      const port = given ?? (await freePort());
      const child = spawn(process.execPath, [CLI, "serve"], { env: settings(port), stdio: ["ignore", "ignore", "pipe"] });
      running.add(child);
      const said = text(child.stderr);
      while ((await statusOf(`http://127.0.0.1:${port}/readyz`)) !== 200) {
        if (child.exitCode !== null) throw new Error(`The service ended: ${await said}`);
        await sleep(25);
      }
      return {
        port,
        ask: (below, ask = {}) => sendRequest(port, `/v1${below}`, ask),
        stop: () => end(child, "SIGTERM"),
        kill: () => end(child, "SIGKILL"),
      };
    },
    async close() {
      await Promise.all([...running].map((child) => end(child, "SIGTERM")));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const statusOf = (url: string): Promise<number> =>
  fetch(url).then(
    (response) => response.status,
    () => 0,
  );
