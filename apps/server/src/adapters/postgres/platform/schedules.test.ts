import { beforeEach, expect, test } from "vitest";
import { newId } from "#domain/ids";
import { openDatabase } from "#adapters/postgres/database";
import type { ScheduleEntry } from "#ports/platform";
import { closedAtEnd } from "#test/closed-at-end";
import { moment } from "#test/platform/records";
import { openTestDatabase } from "#test/postgres";
import { openPostgresPlatform } from "./platform.ts";

const database = closedAtEnd(await openTestDatabase());
const platform = openPostgresPlatform(database);
beforeEach(() => database.query({ text: "TRUNCATE schedules" }));

const add = async (seconds: number): Promise<ScheduleEntry> => {
  const entry = { websiteId: newId("website"), postId: newId("post"), at: moment(seconds), failures: 0 };
  await platform.schedules.add(entry.websiteId, entry.postId, entry.at);
  return entry;
};

test("what is due comes in order, what is not stays", async () => {
  const later = await add(20);
  const sooner = await add(10);
  await add(31);
  expect(await platform.schedules.claimDue(moment(9), 30, 10)).toEqual([]);
  expect(await platform.schedules.claimDue(moment(20), 30, 10)).toEqual([sooner, later]);
});

test("a claim hides an entry until its lease ends", async () => {
  const entry = await add(0);
  expect(await platform.schedules.claimDue(moment(0), 30, 10)).toEqual([entry]);
  expect(await platform.schedules.claimDue(moment(29.999), 30, 10)).toEqual([]);
  expect(await platform.schedules.claimDue(moment(30), 30, 10)).toEqual([entry]);
});

test("no more are claimed than asked for, the longest due first", async () => {
  const entries = [await add(3), await add(1), await add(2)];
  expect(await platform.schedules.claimDue(moment(10), 30, 2)).toEqual([entries[1], entries[2]]);
  expect(await platform.schedules.claimDue(moment(10), 30, 2)).toEqual([entries[0]]);
});

test("several workers on several nodes are given each entry once", async () => {
  const entries: ScheduleEntry[] = [];
  for (let i = 0; i < 120; i++) entries.push(await add(i / 100));
  const nodes = Array.from({ length: 3 }, () => openDatabase({ url: database.url, connections: 4 }));
  const claimed = await Promise.all(
    nodes.flatMap((node) =>
      Array.from({ length: 3 }, async () => {
        const schedules = openPostgresPlatform(node).schedules;
        const mine: ScheduleEntry[] = [];
        for (let rounds = 0; rounds < 40; rounds++) mine.push(...(await schedules.claimDue(moment(60), 300, 7)));
        return mine;
      }),
    ),
  );
  await Promise.all(nodes.map((node) => node.close()));
  expect(
    claimed
      .flat()
      .map((entry) => entry.postId)
      .toSorted(),
  ).toEqual(entries.map((entry) => entry.postId).toSorted());
  expect(claimed.filter((mine) => mine.length > 0).length).toBeGreaterThan(1);
});

test("an entry that a crashed worker was about to claim is free again at once", async () => {
  const entry = await add(0);
  const crash = database.transaction(async (connection) => {
    await connection.query({ text: "SELECT * FROM schedules FOR UPDATE" });
    expect(await platform.schedules.claimDue(moment(1), 30, 10)).toEqual([]);
    throw new Error("crash");
  });
  await expect(crash).rejects.toThrow("crash");
  expect(await platform.schedules.claimDue(moment(1), 30, 10)).toEqual([entry]);
});

test("a removed entry never comes again; another moment of the same post stays", async () => {
  const entry = await add(0);
  await platform.schedules.add(entry.websiteId, entry.postId, moment(5));
  await platform.schedules.remove(entry.websiteId, entry.postId, entry.at);
  expect(await platform.schedules.claimDue(moment(10), 30, 10)).toEqual([{ ...entry, at: moment(5) }]);
});

test("another website's id removes nothing", async () => {
  const entry = await add(0);
  await platform.schedules.remove(newId("website"), entry.postId, entry.at);
  expect(await platform.schedules.claimDue(moment(10), 30, 10)).toEqual([entry]);
});

test("a failed one is looked at again at the moment said, and remembers how often it failed", async () => {
  await add(0);
  const [claimed] = await platform.schedules.claimDue(moment(0), 30, 10);
  await platform.schedules.postpone(claimed!, moment(100));
  expect(await platform.schedules.claimDue(moment(99), 30, 10)).toEqual([]);
  const [again] = await platform.schedules.claimDue(moment(100), 30, 10);
  expect(again).toEqual({ ...claimed, failures: 1 });
});

test("postponing what was removed meanwhile does not bring it back", async () => {
  const entry = await add(0);
  await platform.schedules.remove(entry.websiteId, entry.postId, entry.at);
  await platform.schedules.postpone(entry, moment(1));
  expect(await platform.schedules.claimDue(moment(10), 30, 10)).toEqual([]);
});

test("scheduled anew for the same moment, it is due at that moment again", async () => {
  const entry = await add(10);
  const [claimed] = await platform.schedules.claimDue(moment(10), 30, 10);
  await platform.schedules.postpone(claimed!, moment(1000));
  await platform.schedules.add(entry.websiteId, entry.postId, entry.at);
  expect(await platform.schedules.claimDue(moment(10), 30, 10)).toEqual([entry]);
});
