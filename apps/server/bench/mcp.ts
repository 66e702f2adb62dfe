import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { userActor } from "#domain/actor";
import type { UserId } from "#domain/ids";
import { MCP_PATH, recordHash, sealContext } from "#domain/oauth-record";
import { runBootstrap } from "#main/commands/bootstrap";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { connectTool } from "#operations/connections/connect-tool";
import { execute } from "#operations/kernel/execute";

/**
 * `npm run bench -- mcp`: calls of tools a second and their p99, beside the bare SDK with an empty tool, in both revisions of
 * the protocol. Asked by turns, in short rounds: a machine whose speed changes from one second to the next is as fast for the one
 * as for the other in most of them, and the middle of the rounds' ratios is what counts. Fails below half of the bare SDK.
 */
const RESULTS = new URL("../../../.cache/bench/", import.meta.url);
const BAR = 0.5;
const POSTS = 1_000;
const CONNECTIONS = 16;
const ROUNDS = 41;
/** Calls before anything is counted: the compiler needs a few thousand. */
const WARM_UP_CALLS = 5_000;
const MILLIS = 500;
const TOKEN = "a-token-for-the-bench-only-aaaaaaaaaaaaaaaa";

const folder = await mkdtemp(path.join(tmpdir(), "stet-bench-"));
const env = { STET_DATA: path.join(folder, "data"), HOST: "127.0.0.1", PORT: "4000" };
interface Running {
  readonly process: ChildProcess;
  readonly port: number;
  readonly agent: Agent;
}
const servers: ChildProcess[] = [];
try {
  const { websiteId, postId } = await seed();
  const bare = await start("bare");
  const service = await start("service");
  const calls = {
    list_posts: { name: "list_posts", arguments: { website: websiteId } },
    get_post: { name: "get_post", arguments: { website: websiteId, post: postId } },
  };
  const rows = [];
  for (const era of ["2025-11-25", "2026-07-28"] as const) {
    const runs = new Map<string, Measured[]>();
    const empty = messageOf(era, { name: "empty", arguments: {} });
    const tasks: readonly [string, Running, Message][] = [
      ["the bare SDK, an empty tool", bare, empty],
      ["list_posts", service, messageOf(era, calls.list_posts)],
      ["get_post", service, messageOf(era, calls.get_post)],
    ];
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, server, message] of tasks) {
        const measured = await load(server, message, round === 0 ? { calls: WARM_UP_CALLS } : { millis: MILLIS });
        if (round > 0) runs.set(name, [...(runs.get(name) ?? []), measured]);
      }
    }
    const median = (name: string, value: (run: Measured, round: number) => number) =>
      runs
        .get(name)!
        .map(value)
        .toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)]!;
    const bareRuns = runs.get(tasks[0]![0])!;
    for (const [name] of tasks) {
      rows.push({
        revision: era,
        what: name,
        "a second": Math.round(median(name, (run) => run.perSecond)),
        "p99 ms": round2(median(name, (run) => run.p99)),
        "cpu µs": Math.round(median(name, (run) => run.cpuMicros)),
        "× bare": round2(median(name, (run, round) => run.perSecond / bareRuns[round]!.perSecond)),
      });
    }
  }
  console.table(rows);
  await mkdir(RESULTS, { recursive: true });
  await writeFile(new URL("mcp.json", RESULTS), `${JSON.stringify(rows, null, 2)}\n`);
  const below = rows.filter((row) => row["× bare"] < BAR);
  for (const row of below) console.error(`Below ${BAR} × the bare SDK: ${row.what} (${row.revision}), ${row["× bare"]}`);
  if (below.length > 0) process.exitCode = 1;
} finally {
  for (const server of servers) server.kill();
  for (const server of servers) if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  await rm(folder, { recursive: true, force: true });
}

async function start(which: "bare" | "service"): Promise<Running> {
  const server = fork(new URL("mcp/server.ts", import.meta.url), [which], { env: { ...process.env, ...env } });
  servers.push(server);
  const [port] = (await once(server, "message")) as [number];
  return { process: server, port, agent: new Agent({ keepAlive: true, maxSockets: CONNECTIONS }) };
}

/** Processor time it has used so far, in microseconds. */
async function cpuOf({ process: server }: Running): Promise<number> {
  server.send("cpu");
  const [micros] = (await once(server, "message")) as [number];
  return micros;
}

/** A website with posts, and a connection with a token that is good for an hour. */
async function seed(): Promise<{ websiteId: string; postId: string }> {
  const config = readConfig(env);
  const installation = await openInstallation(config, createLog("warn", process.stderr), { role: "command", report: () => {} });
  try {
    const { services } = installation;
    const options = { email: "bench@example.com", password: "a password for the bench", workspace: "Bench", website: "Blog" };
    const made = await runBootstrap(services, { ...options, plan: "team", posts: POSTS, json: true }, () => {});
    const { userId, websiteId } = made as unknown as { userId: UserId; websiteId: string };
    const { connection } = await execute(services, connectTool, userActor(userId), {
      kind: "ai",
      client: { id: "bench", name: "Bench", host: null, redirectHost: null },
      workspaces: "all",
    });
    const idHash = recordHash(TOKEN);
    await services.oauthRecords.upsert({
      model: "AccessToken",
      idHash,
      payload: services.seals.seal("oauth", sealContext("AccessToken", idHash), JSON.stringify({ aud: config.publicUrl + MCP_PATH })),
      grantId: connection.id,
      userCodeHash: null,
      uidHash: null,
      expiresAt: Math.floor(Date.now() / 1_000) + 3_600,
      consumedAt: null,
    });
    const { rows } = await installation.database.query<{ id: string }>({ text: "SELECT id FROM posts LIMIT 1" });
    await installation.database.query({ text: "VACUUM ANALYZE" });
    return { websiteId, postId: rows[0]!.id };
  } finally {
    await installation.close();
  }
}

interface Message {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

function messageOf(era: "2025-11-25" | "2026-07-28", params: { name: string; arguments: object }): Message {
  const headers = {
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    Authorization: `Bearer ${TOKEN}`,
    "Mcp-Protocol-Version": era,
  };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call" };
  if (era === "2025-11-25") return { body: JSON.stringify({ ...message, params }), headers };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": era,
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1.0.0" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return {
    body: JSON.stringify({ ...message, params: { ...params, _meta } }),
    headers: { ...headers, "Mcp-Method": "tools/call", "Mcp-Name": params.name },
  };
}

interface Measured {
  readonly perSecond: number;
  readonly p99: number;
  /** Processor time of the server for one call. */
  readonly cpuMicros: number;
}

async function load(server: Running, message: Message, limit: { calls?: number; millis?: number }): Promise<Measured> {
  const times: number[] = [];
  const cpuBefore = await cpuOf(server);
  const { calls = Infinity, millis = Infinity } = limit;
  const begun = performance.now();
  const worker = async () => {
    while (times.length < calls && performance.now() - begun < millis) {
      const started = performance.now();
      await ask(server, message);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  const sorted = times.toSorted((a, b) => a - b);
  return {
    perSecond: (times.length / (performance.now() - begun)) * 1_000,
    p99: sorted[Math.floor(sorted.length * 0.99)]!,
    cpuMicros: ((await cpuOf(server)) - cpuBefore) / times.length,
  };
}

function ask({ agent, port }: Running, { body, headers }: Message): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ port, host: "127.0.0.1", path: MCP_PATH, method: "POST", agent, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      answer.on("end", () => {
        if (answer.statusCode === 200 && text.includes('"result"') && !text.includes('"isError"')) resolve();
        else reject(new Error(`Not an answer: ${answer.statusCode} ${text.slice(0, 500)}`));
      });
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
