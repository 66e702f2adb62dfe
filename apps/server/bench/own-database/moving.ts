import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { userActor } from "#domain/actor";
import { Failure } from "#domain/failure";
import type { UserId, WebsiteId } from "#domain/ids";
import { runBootstrap } from "#main/commands/bootstrap";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { execute } from "#operations/kernel/execute";
import { type OperationName, registry } from "#operations/registry";
import { givenMongo, mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { runMove } from "#worker/moving/run-move";
import { writePosts } from "./posts.ts";
import { round2 } from "./shared.ts";

const SAMPLE_MILLIS = 250;
const WRITE_MILLIS = 100;
const MOST_PAUSE_MILLIS = 10_000;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** So many posts to an own database and in use there, while somebody saves a draft ten times a second. */
export async function measureMoving(count: number): Promise<{ result: object; missed: string[] }> {
  const found = givenMongo() ?? (await mongoJavaServer.prepare());
  if ("missing" in found) {
    console.log("moving: no server with the protocol of MongoDB on this machine, left out.");
    return { result: {}, missed: [] };
  }
  const folder = await mkdtemp(path.join(tmpdir(), "stet-bench-"));
  const server = await found.part.start();
  const config = readConfig({ STET_DATA: path.join(folder, "data"), STET_ALLOW_PRIVATE_TARGETS: "true" });
  const installation = await openInstallation(config, createLog("error", process.stderr), { role: "service", report: () => {} });
  try {
    const { services } = installation;
    const options = { email: "bench@example.com", password: "a password for the bench", workspace: "Bench", website: "Large" };
    const made = await runBootstrap(services, { ...options, plan: "team", posts: 0, json: true }, () => {});
    const websiteId = made.websiteId as WebsiteId;
    const call = (name: OperationName, input: Record<string, unknown> = {}) =>
      execute(services, registry[name] as never, userActor(made.userId as UserId), { websiteId, ...input });
    await writePosts(services, websiteId, count);
    const url = new URL(server.url);
    url.pathname = `/${testDatabaseName()}`;
    await call("connect_own_database", { url: url.href });
    await call("activate_own_database");

    const writer = startWriter(call);
    const memory = watchMemory();
    const started = performance.now();
    const cpu = process.cpuUsage();
    const phases: Record<string, number> = {};
    const heapBefore = memory.heap();
    const step = async () => {
      const phase = String(
        ((await services.platform.moves.get(websiteId, "content"))!.position as { phase?: string }).phase ?? "preparing",
      );
      if (memory.phase !== phase) process.stderr.write(`${phase} after ${Math.round((performance.now() - started) / 1_000)} s\n`);
      memory.phase = phase;
      const began = performance.now();
      await runMove(services, { websiteId, subject: "content" });
      phases[phase] = (phases[phase] ?? 0) + performance.now() - began;
      const move = (await services.platform.moves.get(websiteId, "content"))!;
      if (move.error) console.log(`${phase}: ${move.error}`);
      return move.state === "running";
    };
    while (await step()) await delay(0);
    const millis = performance.now() - started;
    const used = process.cpuUsage(cpu);
    const heapAfter = memory.heap();
    memory.stop();
    const { longest, saves } = await writer.stop();
    const { report } = (await call("get_content_move_report")) as {
      report: { pausedMillis: number; sums: Record<string, { count: number }> };
    };
    const { home } = (await services.platform.websites.get(websiteId))!;
    if (home.kind !== "own" || report.sums.post!.count !== count + 1) throw new Error("The posts are not where they were to go.");
    const result = {
      posts: count,
      server: found.detail,
      "posts a second, all in all": Math.round((count / millis) * 1_000),
      "processor time of the service a post, ms": round2((used.user + used.system) / 1_000 / count),
      "copied a second": Math.round((count / (phases.copying ?? 1)) * 1_000),
      "compared a second": Math.round((count / (phases.comparing ?? 1)) * 1_000),
      "pause of writes, ms": report.pausedMillis,
      "longest save of a writer, ms": Math.round(longest),
      "saves meanwhile": saves,
      "resident, MB": memory.most,
      "heap in use before and after, MB": [round2(heapBefore), round2(heapAfter)].join(" → "),
    };
    console.table(
      Object.fromEntries(Object.entries(result).map(([what, value]) => [what, typeof value === "object" ? JSON.stringify(value) : value])),
    );
    return { result, missed: longest > MOST_PAUSE_MILLIS ? ["the longest save of a writer"] : [] };
  } finally {
    await installation.close();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Saves one draft again and again; what is refused is tried again until it is saved. */
function startWriter(call: (name: OperationName, input: Record<string, unknown>) => Promise<unknown>) {
  let isOver = false;
  let longest = 0;
  let saves = 0;
  const work = (async () => {
    let draft = (await call("create_post", { title: "Written meanwhile", body: "A" })) as { id: string; version: number };
    while (!isOver) {
      const began = performance.now();
      for (;;) {
        const input = { postId: draft.id, expectedVersion: draft.version, body: `Save ${saves}`, autosave: true };
        const saved = await call("edit_post", input).catch((error: unknown) => {
          if (error instanceof Failure && error.code === "CONTENT_STORE_UNAVAILABLE") return null;
          throw error;
        });
        if (saved) {
          draft = saved as typeof draft;
          break;
        }
        await delay(20);
      }
      longest = Math.max(longest, performance.now() - began);
      saves += 1;
      await delay(WRITE_MILLIS);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await work;
      return { longest, saves };
    },
  };
}

/** The most that this process took, by the phase it was in, in megabytes. */
function watchMemory() {
  const most: Record<string, number> = {};
  const watch = {
    phase: "before",
    most,
    heap(): number {
      collect();
      return process.memoryUsage().heapUsed / 1e6;
    },
    stop: () => clearInterval(timer),
  };
  const look = () => {
    most[watch.phase] = Math.max(most[watch.phase] ?? 0, Math.round(process.memoryUsage.rss() / 1e6));
  };
  collect();
  look();
  const timer = setInterval(look, SAMPLE_MILLIS);
  return watch;
}
