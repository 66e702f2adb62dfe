import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { canInstallDebianPackages, installDebianPackages, isExecutable } from "#test/debian-packages";
import { freePort } from "#test/free-port";
import type { Part } from "#test/parts";

const NAMES = ["valkey-server", "redis-server"];
const PLACES = ["/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/** A server on a port of its own, with nothing in it, which keeps nothing. */
export interface RedisServer {
  readonly url: string;
  /** Ends it without a word, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on the same port, empty. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Redis or Valkey of this machine. `STET_TEST_REDIS` names another program. */
export function findRedis(): Part<() => Promise<RedisServer>> {
  const program =
    process.env["STET_TEST_REDIS"] ?? NAMES.flatMap((name) => PLACES.map((place) => path.join(place, name))).find(isExecutable);
  if (!program) return { missing: `there is no ${NAMES.join(" and no ")}; install one, or name it in STET_TEST_REDIS` };
  return { part: () => startRedis(program), detail: `at ${program}` };
}

/** Installs Debian's where it is missing and can be. It is not started as a service by that in a container. */
export async function prepareRedis(): Promise<Part<unknown>> {
  const found = findRedis();
  if (!("missing" in found) || process.platform !== "linux" || !canInstallDebianPackages()) return found;
  return installDebianPackages("redis-server").then(findRedis, (error: Error) => ({
    missing: `Debian's could not be installed: ${error.message}`,
  }));
}

async function startRedis(program: string): Promise<RedisServer> {
  const port = await freePort();
  const folder = await mkdtemp(path.join(tmpdir(), "stet-redis-"));
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
  let child: ReturnType<typeof spawn> | null = null;
  const server: RedisServer = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const started = spawn(program, settings, { stdio: "ignore" });
      child = started;
      while (!(await isListening(port))) {
        if (started.exitCode !== null) throw new Error(`${program} ended with ${started.exitCode}`);
        await sleep(10);
      }
    },
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
    async close() {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1");
  socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
