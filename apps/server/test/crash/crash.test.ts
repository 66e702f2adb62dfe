import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemActor } from "#domain/actor";
import type { UserId, WebsiteId } from "#domain/ids";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { execute } from "#operations/kernel/execute";
import { registry } from "#operations/registry";
import { copyInstallation } from "#test/cluster-template";
import { type Acknowledged, expectNothingLost } from "./nothing-lost.ts";

/** What is killed in each round, in turn. PostgreSQL alone is killed in database-kills.test.ts. */
const TARGETS = ["service", "service and PostgreSQL"] as const;
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

test(`${ROUNDS} times the service, with PostgreSQL or without, is killed while it writes: it starts again by itself, and no acknowledged write is lost`, async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const target = TARGETS[round % TARGETS.length]!;
    const service = startService();
    await untilWritten(20 + ((round * 7) % 30), service);
    if (target !== "service") await killPostgres();
    service.child.kill("SIGKILL");
    await once(service.child, "close");
  }

  const installation = await install();
  try {
    expect(acknowledged.length).toBeGreaterThan(ROUNDS * 20);
    await expectNothingLost(installation.services, websiteId, acknowledged);
  } finally {
    await installation.close();
  }
}, 900_000);
