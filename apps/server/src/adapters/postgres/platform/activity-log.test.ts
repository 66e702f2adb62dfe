import { expect, test } from "vitest";
import { Failure } from "#domain/failure";
import { newId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import type { ActivityEntry } from "#ports/platform";
import { closedAtEnd } from "#test/closed-at-end";
import { anEntry, moment, settle } from "#test/platform/records";
import { openTestDatabase } from "#test/postgres";
import { openPostgresPlatform } from "./platform.ts";

const database = closedAtEnd(await openTestDatabase());
const platform = openPostgresPlatform(database);

const FIRST = { after: null, limit: 50 } as const;

test("an entry comes back as it was written, also one of a job on nothing", async () => {
  const { workspace, website } = await settle(platform);
  const entry = anEntry(workspace.id, { websiteId: website.id, details: { from: "draft", nested: { list: [1, null, "\u0000"] } } });
  const job = anEntry(workspace.id, { actor: { type: "system", id: "sweep", userId: null }, target: null, details: {}, at: moment(-1) });
  await platform.activity.append(entry);
  await platform.activity.append(job);
  expect(await platform.activity.list(workspace.id, FIRST)).toEqual({ rows: [entry, job], next: null });
});

test("the log of another workspace stays its own", async () => {
  const { workspace } = await settle(platform);
  const other = await settle(platform);
  await platform.activity.append(anEntry(other.workspace.id));
  expect((await platform.activity.list(workspace.id, FIRST)).rows).toEqual([]);
});

test("pages go newest first, each entry once, also when many share a millisecond", async () => {
  const { workspace } = await settle(platform);
  const entries = Array.from({ length: 23 }, (_, i) => anEntry(workspace.id, { at: moment(Math.floor(i / 7)) }));
  for (const entry of entries) await platform.activity.append(entry);
  const seen: ActivityEntry[] = [];
  let after = null;
  do {
    const page = await platform.activity.list(workspace.id, { after, limit: 5 });
    seen.push(...page.rows);
    after = page.next;
  } while (after);
  const expected = entries.toSorted((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1));
  expect(seen.map((entry) => entry.id)).toEqual(expected.map((entry) => entry.id));
});

test("a page that ends exactly with the last entry has no next", async () => {
  const { workspace } = await settle(platform);
  for (let i = 0; i < 5; i++) await platform.activity.append(anEntry(workspace.id));
  expect((await platform.activity.list(workspace.id, { after: null, limit: 5 })).next).toBeNull();
});

test("each filter narrows the log", async () => {
  const { workspace, website } = await settle(platform);
  const userId = newId("user");
  const entry = anEntry(workspace.id, {
    websiteId: website.id,
    action: "rename_term",
    actor: { type: "tool", id: newId("grant"), userId },
    target: { id: newId("tag"), label: "News" },
  });
  await platform.activity.append(entry);
  await platform.activity.append(anEntry(workspace.id));
  const filters = [
    { websiteId: website.id },
    { action: "rename_term" },
    { userId },
    { actorType: "tool" as const },
    { targetId: entry.target!.id },
    { websiteId: website.id, action: "rename_term", userId },
  ];
  for (const filter of filters) {
    expect((await platform.activity.list(workspace.id, { ...filter, ...FIRST })).rows, JSON.stringify(filter)).toEqual([entry]);
  }
  expect((await platform.activity.list(workspace.id, { ...filters[0], action: "publish_post", ...FIRST })).rows).toEqual([]);
});

test("entries with one fold key become one: the newest time and details, counted", async () => {
  const { workspace } = await settle(platform);
  const first = anEntry(workspace.id, { details: { words: 1 } });
  await platform.activity.append(first, "autosave of a post");
  for (let i = 1; i <= 3; i++) {
    await platform.activity.append(anEntry(workspace.id, { at: moment(i), details: { words: i + 1 } }), "autosave of a post");
  }
  await platform.activity.append(anEntry(workspace.id), "autosave of another");
  const { rows } = await platform.activity.list(workspace.id, FIRST);
  expect(rows).toHaveLength(2);
  expect(rows).toContainEqual({ ...first, at: moment(3), details: { words: 4 }, count: 4 });
});

test("a folded line tells the time of its last entry, and stands in the list where it stood ten seconds before at most", async () => {
  const { workspace } = await settle(platform);
  const append = (seconds: number, key?: string) => platform.activity.append(anEntry(workspace.id, { at: moment(seconds) }), key);
  const seconds = async (range: { from?: Timestamp; to?: Timestamp } = {}) => {
    const seen: number[] = [];
    let after = null;
    do {
      const page = await platform.activity.list(workspace.id, { ...range, after, limit: 1 });
      seen.push(...page.rows.map(({ at }) => (Date.parse(at) - Date.parse(moment(0))) / 1_000));
      after = page.next;
    } while (after);
    return seen;
  };
  await append(0, "autosave");
  await append(3);
  await append(9, "autosave");
  expect(await seconds()).toEqual([3, 9]);
  await append(11, "autosave");
  expect(await seconds()).toEqual([11, 3]);
  // One that comes late.
  await append(10, "autosave");
  expect(await seconds()).toEqual([11, 3]);
  // Who asks by time is answered by the time, not by the place.
  await append(18, "autosave");
  expect(await seconds({ from: moment(12) })).toEqual([18]);
  expect(await seconds({ from: moment(19) })).toEqual([]);
  expect(await seconds({ to: moment(18) })).toEqual([3]);
  expect(await seconds({ to: moment(19) })).toEqual([18, 3]);
  // A node of the version before moves the line with every entry, and knows nothing of its last time.
  await database.query({
    text: "UPDATE activity SET at = $2, count = count + 1 WHERE workspace_id = $1 AND fold_key IS NOT NULL",
    values: [workspace.id, moment(20)],
  });
  expect(await seconds({ from: moment(20) })).toEqual([20]);
  await append(21, "autosave");
  expect(await seconds({ from: moment(20) })).toEqual([21]);
});

test("folding loses no count when many write at once, and never reaches into another workspace", async () => {
  const { workspace } = await settle(platform);
  const other = await settle(platform);
  await platform.activity.append(anEntry(other.workspace.id), "key");
  await Promise.all(Array.from({ length: 20 }, () => platform.activity.append(anEntry(workspace.id), "key")));
  expect((await platform.activity.list(workspace.id, FIRST)).rows.map((row) => row.count)).toEqual([20]);
  expect((await platform.activity.list(other.workspace.id, FIRST)).rows.map((row) => row.count)).toEqual([1]);
});

test("a position that is no moment is refused as a bad cursor", async () => {
  const { workspace } = await settle(platform);
  const listing = platform.activity.list(workspace.id, { after: { key: "x'; --", id: "act_1" }, limit: 5 });
  await expect(listing).rejects.toThrow(Failure);
  await expect(listing).rejects.toMatchObject({ code: "INVALID_CURSOR" });
});
