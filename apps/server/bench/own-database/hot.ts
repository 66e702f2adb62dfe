import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { userActor } from "#domain/actor";
import type { UserId, WebsiteId } from "#domain/ids";
import { runBootstrap } from "#main/commands/bootstrap";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { execute } from "#operations/kernel/execute";
import type { NewKey } from "#operations/keys/create-key";
import { registry } from "#operations/registry";
import { givenMongo, mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { startService } from "#test/service-process";
import { runMove } from "#worker/moving/run-move";
import { ask, createProcesses, twoCores } from "../delivery/processes.ts";
import type { Load, Measured } from "../delivery/shared.ts";
import { writePosts } from "./posts.ts";
import { cpuMillis, middle, round2 } from "./shared.ts";

const POSTS = 30;
/** Many short ones by turns, so that other work of the machine falls on both alike. */
const ROUNDS = 24;
const KINDS = ["own", "managed"] as const;
const TARGET = 0.95;

/** The same page of the same posts again and again, from a website in an own database and from one in the service's own store, by turns. */
export async function measureHot(): Promise<{ result: object; missed: string[] }> {
  const found = givenMongo() ?? (await mongoJavaServer.prepare());
  if ("missing" in found) {
    console.log("hot: no server with the protocol of MongoDB on this machine, left out.");
    return { result: {}, missed: [] };
  }
  const folder = await mkdtemp(path.join(tmpdir(), "stet-bench-"));
  const server = await found.part.start();
  const processes = createProcesses();
  const settings = { STET_DATA: path.join(folder, "data"), STET_ALLOW_PRIVATE_TARGETS: "true" };
  try {
    const url = new URL(server.url);
    url.pathname = `/${testDatabaseName()}`;
    const keys = await makeWebsites(settings, url.href);
    const service = await startService({ ...settings, STET_LOG: "error" });
    try {
      const [core, other] = await twoCores();
      if (other !== undefined) spawnSync("taskset", ["-acp", String(other), String(service.pid)]);
      const client = processes.start("load", core);
      const port = Number(new URL(service.url).port);
      const runs = { own: [] as Run[], managed: [] as Run[] };
      const sizes = new Set<number>();
      for (let round = 0; round < ROUNDS; round++) {
        // Neither is always the second one.
        for (const kind of round % 2 === 0 ? KINDS : KINDS.toReversed()) {
          const headers = { Authorization: `Bearer ${keys[kind]}` };
          sizes.add((await (await service.fetch("/v1/blog/posts?limit=7", { headers })).arrayBuffer()).byteLength);
          runs[kind].push(await read(client, { port, key: keys[kind], pid: service.pid }));
        }
      }
      if (sizes.size !== 1) throw new Error(`The two websites answer with different numbers of bytes: ${[...sizes].join(", ")}.`);
      const of = (kind: "own" | "managed") => ({
        "a second": Math.round(middle(runs[kind].map(({ perSecond }) => perSecond))),
        "cpu, µs": round2(middle(runs[kind].map(({ cpuMicros }) => cpuMicros))),
      });
      const [own, managed] = [of("own"), of("managed")];
      // The two of a round stand beside each other, so that a slow minute falls on both.
      const ratio = round2(middle(runs.own.map(({ cpuMicros }, round) => runs.managed[round]!.cpuMicros / cpuMicros)));
      console.table({ own, managed });
      console.log(`Own / managed, by processor time: ${ratio}`);
      const result = { own, managed, "own / managed, by processor time": ratio };
      return { result, missed: ratio < TARGET ? ["hot reads of an own database"] : [] };
    } finally {
      await service.stop();
    }
  } finally {
    processes.killAll();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Run {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

async function read(client: Parameters<typeof ask>[0], { port, key, pid }: { port: number; key: string; pid: number }): Promise<Run> {
  const request = `GET /v1/blog/posts?limit=7 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${key}\r\n\r\n`;
  const load: Load = { port, requests: [request], connections: 8, warmUpMillis: 300, millis: 1_500 };
  const before = cpuMillis(pid);
  const { answers, requestsPerSecond, statuses } = await ask<Measured>(client, load);
  if (Object.keys(statuses).some((status) => status !== "200")) throw new Error(`Hot reads were answered ${JSON.stringify(statuses)}.`);
  return { perSecond: requestsPerSecond, cpuMicros: ((cpuMillis(pid) - before) * 1_000) / answers };
}

/** Two websites with the same posts, one of them moved as a customer moves it. */
async function makeWebsites(settings: Readonly<Record<string, string>>, url: string): Promise<{ own: string; managed: string }> {
  const installation = await openInstallation(readConfig(settings), createLog("error", process.stderr), {
    role: "command",
    report: () => {},
  });
  try {
    const { services } = installation;
    const account = { email: "bench@example.com", password: "a password for the bench", workspace: "Bench" };
    const made = await runBootstrap(services, { ...account, website: "Own", plan: "unlimited", posts: 0, json: true }, () => {});
    const own = made.websiteId as WebsiteId;
    const call = (name: keyof typeof registry, input: object) =>
      execute(services, registry[name] as never, userActor(made.userId as UserId), input);
    const workspaceId = (await services.platform.websites.get(own))!.workspaceId;
    const managed = ((await call("create_website", { workspaceId, name: "Managed" })) as { id: WebsiteId }).id;
    for (const websiteId of [own, managed]) await writePosts(services, websiteId, POSTS);
    await call("connect_own_database", { websiteId: own, url });
    await call("activate_own_database", { websiteId: own });
    const isRunning = async () => (await services.platform.moves.get(own, "content"))?.state === "running";
    while (await isRunning()) await runMove(services, { websiteId: own, subject: "content" });
    if ((await services.platform.websites.get(own))!.home.kind !== "own") throw new Error("The website could not be moved.");
    const keyOf = async (websiteId: WebsiteId) => ((await call("create_key", { websiteId, name: "Bench" })) as NewKey).key;
    return { own: await keyOf(own), managed: await keyOf(managed) };
  } finally {
    await installation.close();
  }
}
