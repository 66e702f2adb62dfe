import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemActor } from "#domain/actor";
import type { PostId, UserId, WebsiteId } from "#domain/ids";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { execute } from "#operations/kernel/execute";
import { registry } from "#operations/registry";
import { settlePending } from "#worker/sweeps";
import { copyInstallation } from "#test/cluster-template";
import type { Acknowledged } from "./writer.ts";

/** What is shot in each round, in turn: the service, PostgreSQL under it, or both at once. */
const TARGETS = ["service", "PostgreSQL", "both"] as const;
const ROUNDS = process.env.STET_SOAK ? 50 : 2 * TARGETS.length;

let data: string;
let userId: UserId;
let websiteId: WebsiteId;
const acknowledged: Acknowledged[] = [];
const install = () => openInstallation(readConfig({ STET_DATA: data }), createLog("silent"), { role: "command", report: () => {} });

beforeAll(async () => {
  data = await mkdtemp(path.join(tmpdir(), "stet-crash-"));
  await copyInstallation(data);
  const installation = await install();
  const { services } = installation;
  const operator = systemActor("test");
  const account = await execute(services, registry.create_account, operator, {
    email: "a@example.com",
    name: "A",
    password: "correct horse battery",
  });
  userId = account.id;
  const actor = { type: "user", userId } as const;
  const workspace = await execute(services, registry.create_workspace, actor, { name: "Workspace" });
  websiteId = (await execute(services, registry.create_website, actor, { workspaceId: workspace.id, name: "Website" })).id;
  await installation.close();
}, 120_000);
afterAll(() => rm(data, { recursive: true, force: true }));

function startService(): { child: ChildProcess; told: string[] } {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "writer.ts"), userId, websiteId], {
    env: { ...process.env, STET_DATA: data },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const told: string[] = [];
  createInterface(child.stderr!).on("line", (line) => told.push(line));
  createInterface(child.stdout!).on("line", (line) => {
    // A line cut by the kill was not received, so it is not owed.
    if (line.endsWith("}")) acknowledged.push(JSON.parse(line) as Acknowledged);
  });
  return { child, told };
}

async function untilWritten(count: number, service: { child: ChildProcess; told: string[] }): Promise<void> {
  const wanted = acknowledged.length + count;
  const isThere = async () => acknowledged.length >= wanted || service.child.exitCode !== null;
  await expect.poll(isThere, { timeout: 60_000, interval: 10 }).toBe(true);
  // A service that ends by itself has not started again by itself; its last words say why.
  expect([service.child.exitCode, service.child.exitCode === null ? "" : service.told.join("\n")]).toEqual([null, ""]);
}

async function killPostgres(): Promise<void> {
  const [pid] = (await readFile(path.join(data, "postgres", "postmaster.pid"), "utf8")).split("\n");
  process.kill(Number(pid), "SIGKILL");
}

test(`${ROUNDS} times the service or PostgreSQL is killed while it writes: it starts again by itself, and no acknowledged write is lost`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const target = TARGETS[round % TARGETS.length]!;
    const service = startService();
    await untilWritten(20 + ((round * 7) % 30), service);
    if (target !== "service") await killPostgres();
    // Left alive, the service must bring PostgreSQL back and go on writing.
    if (target === "PostgreSQL") await untilWritten(20, service);
    service.child.kill("SIGKILL");
    await once(service.child, "close");
  }

  const installation = await install();
  try {
    const { services } = installation;
    const content = services.contentOf({ id: websiteId });
    while ((await settlePending(services, content)) > 0);
    const events = await services.platform.events.list(websiteId, 0, 1_000_000);
    const told = new Set(events.map(({ event }) => `${event.postId} ${event.version} ${event.type}`));
    expect(told.size).toBe(events.length);
    expect(acknowledged.length).toBeGreaterThan(ROUNDS * 20);
    for (const { post, version, body, event } of acknowledged) {
      const stored = await content.posts.get(websiteId, post as PostId);
      expect(stored?.version, `${post} has version ${version}`).toBeGreaterThanOrEqual(version);
      if (event) expect(told, `${event} of ${post} was told`).toContain(`${post} ${version} ${event}`);
      if (body === undefined) continue;
      const { rows } = await content.revisions.list(websiteId, post as PostId, { after: null, limit: 100 });
      const head = rows.find((revision) => revision.version === version);
      const kept = head && (await content.revisions.get(websiteId, post as PostId, head.id));
      expect(kept?.content.body, `version ${version} of ${post} is in the history`).toBe(body);
    }
  } finally {
    await installation.close();
  }
}, 900_000);
