import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Problem } from "@stet/contract";
import { freePort } from "#test/free-port";

const CLI = path.join(import.meta.dirname, "../../src/main/cli.ts");
const EMAIL = "owner@example.com";
const PASSWORD = "a long password";

// oxlint-disable-next-line no-explicit-any -- tests look into answers whose shape other tests check
type Answered = { readonly status: number; readonly data: any; readonly problem: Problem | undefined };

/** `stet serve` with its embedded PostgreSQL in a process of its own, an owner who is signed in, and a website with posts. */
export interface EmbeddedService {
  /** An operation on the website. */
  rpc(operation: string, input: object): Promise<Answered>;
  upload(bytes: Uint8Array): Promise<Answered>;
  /** The status of a request with the website's key, below /v1. */
  read(path: string): Promise<number>;
  status(path: string): Promise<number>;
  bytes(path: string): Promise<Uint8Array>;
  metric(name: string): Promise<number>;
  /** What a command that runs beside it prints, whether it succeeds or not. */
  command(...args: string[]): Promise<string>;
  /** The lines of the log that hold these words. */
  logged(words: string): string;
  hasEnded(): boolean;
  stop(): Promise<void>;
}

export async function startEmbeddedService(data: string): Promise<EmbeddedService> {
  const own = await mkdtemp(path.join(tmpdir(), "stet-embedded-service-"));
  const plans = path.join(own, "plans.json");
  await writeFile(plans, JSON.stringify({ team: { requestsPerMonth: null, ratePerSecond: 1e6, burst: 1e6, storageBytes: null } }));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env.PATH,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    PORT: String(port),
    STET_DATA: data,
    STET_PLANS: plans,
  };
  const command = (...args: string[]) =>
    promisify(execFile)(process.execPath, [CLI, ...args], { env }).then(
      ({ stdout }) => stdout,
      (error: { stdout: string; stderr: string }) => error.stdout + error.stderr,
    );

  const child = spawn(process.execPath, [CLI, "serve"], { env, stdio: ["ignore", "pipe", "inherit"] });
  const log: string[] = [];
  createInterface(child.stdout).on("line", (line) => log.push(line));
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const status = (below: string) =>
    fetch(url + below).then(
      (response) => response.status,
      () => 0,
    );
  while ((await status("/readyz")) !== 200) {
    if (hasEnded()) throw new Error(`The service ended: ${log.join("\n")}`);
    await sleep(25);
  }
  const who = ["--email", EMAIL, "--password", PASSWORD, "--workspace", "Acme", "--website", "Blog"];
  const made = JSON.parse(await command("bootstrap", ...who, "--plan", "team", "--posts", "5", "--json")) as {
    websiteId: string;
    apiKey: string;
  };
  const post = (below: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(url + below, { method: "POST", body, headers: { Origin: url, "Content-Type": "application/json", ...headers } });
  const signedIn = await post("/api/auth/sign-in/email", JSON.stringify({ email: EMAIL, password: PASSWORD }));
  const Cookie = signedIn.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");

  return {
    rpc: async (operation, input) =>
      answered(await post(`/api/rpc/${operation}`, JSON.stringify({ websiteId: made.websiteId, ...input }), { Cookie })),
    upload: async (bytes) =>
      answered(
        await post(`/api/websites/${made.websiteId}/media?fileName=noise.png`, Uint8Array.from(bytes), {
          Cookie,
          "Content-Type": "image/png",
        }),
      ),
    read: (below) =>
      fetch(`${url}/v1${below}`, { headers: { Authorization: `Bearer ${made.apiKey}` } }).then(async (response) => {
        await response.arrayBuffer();
        return response.status;
      }),
    status,
    bytes: async (below) => new Uint8Array(await (await fetch(new URL(below, url))).arrayBuffer()),
    async metric(name) {
      const text = await (await fetch(`${url}/metrics`)).text();
      return Number(new RegExp(`^${name} (.*)$`, "m").exec(text)?.[1]);
    },
    command,
    logged: (words) => log.filter((line) => line.includes(words)).join("\n"),
    hasEnded,
    async stop() {
      if (!hasEnded()) {
        child.kill("SIGTERM");
        await once(child, "exit");
      }
      await rm(own, { recursive: true, force: true });
    },
  };
}

async function answered(response: Response): Promise<Answered> {
  const body = (await response.json()) as { data?: unknown };
  return { status: response.status, data: body.data, problem: response.ok ? undefined : (body as Problem) };
}
