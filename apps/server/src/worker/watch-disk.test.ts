import { beforeEach, expect, test } from "vitest";
import { noticeMail } from "#domain/notice-mail";
import { DAY } from "#domain/time";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant, testDisk } from "#test/services";
import { watchDisk } from "./watch-disk.ts";

const MB = 1024 * 1024;
const disk = testDisk();
const services = closedAtEnd(await openTestServices({ disk }));
const first = await services.makeTenant();
const other = await services.makeTenant();

beforeEach(async () => {
  disk.freeBytes = 1e12;
  await watchDisk(services);
  services.pass(DAY);
});

const noticesOf = async ({ workspace }: Tenant) =>
  (await services.platform.activity.list(workspace.id, { action: "disk_space", after: null, limit: 100 })).rows;
const countOf = async (tenant: Tenant) => (await noticesOf(tenant)).length;

test("the owners of the install are told once of each level, and nobody else is", async () => {
  const before = await countOf(first);
  for (const free of [1500, 1400, 300, 290, 50, 40]) {
    disk.freeBytes = free * MB;
    await watchDisk(services);
  }
  expect(await countOf(first)).toBe(before + 3);
  expect(await countOf(other)).toBe(0);
  expect((await noticesOf(first))[0]).toMatchObject({ details: { level: "full", freeBytes: 50 * MB } });
});

test("room that comes and goes is told once a day", async () => {
  const before = await countOf(first);
  for (const free of [1500, 1e6, 1500]) {
    disk.freeBytes = free * MB;
    await watchDisk(services);
  }
  expect(await countOf(first)).toBe(before + 1);
});

test("the letter says how much is free and what to do", async () => {
  disk.freeBytes = 300 * MB;
  await watchDisk(services);
  const [notice] = await noticesOf(first);
  const { id: workspaceId } = first.workspace;
  const letter = noticeMail(
    { workspaceId, websiteId: null, kind: "disk_space", target: notice!.target!, details: notice!.details },
    "https://stet.test",
  );
  expect(letter?.subject).toContain("running out of disk space");
  expect(letter?.text).toMatch(/Only 300 MB are free[\s\S]*Make room/);
});
