import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "vitest";
import { systemActor, userActor } from "#domain/actor";
import type { UserId, WebsiteId } from "#domain/ids";
import { fileKey } from "#domain/media-file";
import { MINUTE } from "#domain/time";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { execute } from "#operations/kernel/execute";
import type { Services } from "#operations/kernel/services";
import { sha256Of } from "#operations/media/helpers/store-file";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestDatabase } from "#test/postgres";
import { settleFiles } from "#worker/settle-files";
import { STEPS } from "./image-steps.ts";

const isLong = process.env.STET_SOAK !== undefined;
/** Where a process dies with most left undone; all of them, twice, in a long run. */
const STEPS_KILLED = isLong ? [...STEPS, ...STEPS] : (["bytes half written", "record written", "variant half written"] as const);
/** Killed at any moment, with so many images acknowledged before. */
const SOMEWHERE = isLong ? 12 : 1;

const database = closedAtEnd(await openTestDatabase());
let env: Record<string, string>;
let userId: UserId;
let websiteId: WebsiteId;
const acknowledged: string[] = [];
let images = 0;

async function withServices<T>(work: (services: Services) => Promise<T>): Promise<T> {
  const installation = await openInstallation(readConfig(env), createLog("silent"), { role: "service", report: () => {} });
  try {
    return await work(installation.services);
  } finally {
    await installation.close();
  }
}

beforeAll(async () => {
  env = {
    STET_DATA: await mkdtemp(path.join(tmpdir(), "stet-kills-")),
    DATABASE_URL: database.url,
    STET_SECRET: "a secret for this test and no other",
  };
  await withServices(async (services) => {
    const account = { email: "a@example.com", name: "A", password: "correct horse battery" };
    userId = (await execute(services, registry.create_account, systemActor("test"), account)).id;
    const workspace = await execute(services, registry.create_workspace, userActor(userId), { name: "Workspace" });
    websiteId = (await execute(services, registry.create_website, userActor(userId), { workspaceId: workspace.id, name: "Website" })).id;
  });
}, 120_000);
afterAll(() => rm(env.STET_DATA!, { recursive: true, force: true }));

/** Runs it to its end; it is killed when so many images were acknowledged, unless it kills itself before. */
async function runUntilKilled(step: string | null, killAfter = Number.POSITIVE_INFINITY): Promise<void> {
  const args = [userId, websiteId, String((images += 1_000)), ...(step === null ? [] : [step])];
  const child = spawn(process.execPath, [path.join(import.meta.dirname, "image-writer.ts"), ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let told = 0;
  createInterface(child.stdout).on("line", (line) => {
    acknowledged.push(line);
    if (++told >= killAfter) child.kill("SIGKILL");
  });
  const [, signal] = (await once(child, "close")) as [number | null, string | null];
  expect([step, signal]).toEqual([step, "SIGKILL"]);
}

const filesIn = (folder: string) => readdir(path.join(env.STET_DATA!, folder), { recursive: true, withFileTypes: true });
const names = async (folder: string) => (await filesIn(folder)).filter((entry) => entry.isFile()).map((entry) => entry.name);

async function expectNothingLeft(services: Services): Promise<void> {
  const later = { ...services, clock: () => new Date(services.clock().getTime() + 11 * MINUTE) };
  await settleFiles(later);
  const files = await services.platform.mediaFiles.listBetween(null, null, 1_000);
  const disk = services.images.of("disk");
  for (const file of files) {
    const bytes = await disk.get(fileKey(file));
    expect([file.mediaId, file.state, bytes && sha256Of(bytes)]).toEqual([file.mediaId, "kept", file.sha256]);
    expect(await services.contents.managed.media.get(websiteId, file.mediaId), file.mediaId).not.toBeNull();
  }
  const ids = files.map((file) => file.mediaId as string);
  expect(acknowledged.filter((id) => !ids.includes(id))).toEqual([]);
  const { items } = await execute(services, registry.list_media, userActor(userId), { websiteId, limit: 100 });
  expect(items.filter((media) => !ids.includes(media.id))).toEqual([]);
  expect(new Set(files.map((file) => file.sha256)).size).toBe(files.length);
  // Hidden ones too: what was half written goes with the row that was there before it.
  expect((await names(path.join("media", websiteId))).toSorted()).toEqual(files.map((file) => path.basename(fileKey(file))).toSorted());
}

test(`killed at ${STEPS_KILLED.length} steps of an upload and of a variant, and ${SOMEWHERE} times anywhere: no record without bytes, no byte that stays, nothing double`, async () => {
  for (const step of STEPS_KILLED) await runUntilKilled(step);
  for (let round = 0; round < SOMEWHERE; round++) await runUntilKilled(null, 1 + (round % 5));
  expect((await names("media")).some((name) => name.endsWith(".part"))).toBe(true);
  expect((await names("variants")).some((name) => name.endsWith(".part"))).toBe(true);
  await withServices(expectNothingLeft);

  // Of variants a start removes what is half written, when nobody can be writing it any more.
  for (const entry of await filesIn("variants")) {
    if (entry.name.endsWith(".part")) await utimes(path.join(entry.parentPath, entry.name), new Date(0), new Date(0));
  }
  await withServices(() =>
    expect.poll(async () => (await names("variants")).filter((name) => name.endsWith(".part")), { timeout: 10_000 }).toEqual([]),
  );
}, 900_000);
