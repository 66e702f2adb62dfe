import { expect, test } from "vitest";
import { newId } from "#domain/ids";
import { closedAtEnd } from "#test/closed-at-end";
import { aKey, anEvent, aWebsite, moment, settle } from "#test/platform/records";
import { openTestDatabase } from "#test/postgres";
import { openPostgresPlatform } from "./platform.ts";

const database = closedAtEnd(await openTestDatabase());
const platform = openPostgresPlatform(database);

test("a website comes back as it was made, settings and field definitions included", async () => {
  const { website } = await settle(platform);
  expect(await platform.websites.get(website.id)).toEqual(website);
});

test("a list holds the workspace's own websites, oldest first", async () => {
  const { workspace, website } = await settle(platform);
  await settle(platform);
  const second = aWebsite(workspace.id, { createdAt: moment(-10) });
  await platform.websites.create(second);
  expect(await platform.websites.list(workspace.id)).toEqual([second, website]);
});

test("settings are saved with the expected version; a stale save writes nothing", async () => {
  const { website } = await settle(platform);
  const next = { ...website, version: 2, name: "News", settings: { ...website.settings, language: "pt-BR" }, fieldDefinitions: [] };
  expect(await platform.websites.save(next)).toBe("saved");
  expect(await platform.websites.save({ ...website, version: 2, name: "Lost" })).toBe("stale");
  expect(await platform.websites.get(website.id)).toEqual(next);
});

test("of two people who save at once exactly one wins", async () => {
  const { website } = await settle(platform);
  const results = await Promise.all(
    Array.from({ length: 8 }, (_, i) => platform.websites.save({ ...website, version: 2, name: `Name ${i}` })),
  );
  expect(results.filter((result) => result === "saved")).toHaveLength(1);
});

test("a deleted website is not there: no record, no list, no save, no keys", async () => {
  const { workspace, website } = await settle(platform);
  const key = aKey(website.id);
  await platform.keys.create(key);
  await platform.websites.markDeleted(website.id, moment());
  expect(await platform.websites.get(website.id)).toBeNull();
  expect(await platform.websites.list(workspace.id)).toEqual([]);
  expect(await platform.websites.save({ ...website, version: 2 })).toBe("stale");
  expect(await platform.keys.findByHash(key.hash)).toBeNull();
  expect(await platform.keys.get(website.id, key.id)).toBeNull();
  expect(await platform.keys.list(website.id)).toEqual([]);
  expect(await platform.keys.countLive(website.id)).toBe(0);
});

test("deleting a website or its workspace drops its reminders at once", async () => {
  const first = await settle(platform);
  const second = await settle(platform);
  const kept = await settle(platform);
  for (const { website } of [first, second, kept]) await platform.schedules.add(website.id, newId("post"), moment(1_000_000));
  await platform.websites.markDeleted(first.website.id, moment());
  await platform.workspaces.markDeleted(second.workspace.id, moment());
  const claimed = await platform.schedules.claimDue(moment(2_000_000), 1, 100);
  expect(claimed.map((entry) => entry.websiteId)).toEqual([kept.website.id]);
});

test("the sweep finds deleted websites and those of deleted workspaces, oldest first, once each", async () => {
  const own = await settle(platform);
  const viaWorkspace = await settle(platform);
  const both = await settle(platform);
  const recent = await settle(platform);
  await platform.websites.markDeleted(own.website.id, moment(-5000));
  await platform.workspaces.markDeleted(viaWorkspace.workspace.id, moment(-6000));
  await platform.websites.markDeleted(both.website.id, moment(-4000));
  await platform.workspaces.markDeleted(both.workspace.id, moment(-3900));
  await platform.websites.markDeleted(recent.website.id, moment(-100));
  const found = await platform.websites.listDeletedBefore(moment(-3000), 100);
  expect(found).toEqual([viaWorkspace.website.id, own.website.id, both.website.id]);
  expect(await platform.websites.listDeletedBefore(moment(-3000), 1)).toEqual([viaWorkspace.website.id]);
});

test("erasing a website removes its record, keys, reminders, events and counters, and nobody else's", async () => {
  const { website } = await settle(platform);
  const kept = await settle(platform);
  for (const each of [website, kept.website]) {
    await platform.keys.create(aKey(each.id));
    await platform.schedules.add(each.id, newId("post"), moment(5_000_000));
    await platform.events.append([anEvent(each.id)]);
    await database.query({ text: "INSERT INTO website_usage VALUES ($1, '2026-11-01', '/blog/posts', 2, 7)", values: [each.id] });
  }
  // More than go in one step.
  const text = "INSERT INTO website_usage SELECT $1, '2026-11-01', '/blog/' || n, 2, 7 FROM generate_series(1, 11000) AS n";
  await database.query({ text, values: [website.id] });
  await platform.websites.erase(website.id);
  for (const table of ["api_keys", "schedules", "events", "event_sequences", "website_usage"]) {
    const { rows } = await database.query<{ website_id: string }>({ text: `SELECT website_id FROM ${table}` });
    const ids = rows.map((row) => row.website_id);
    expect(ids, table).not.toContain(website.id);
    expect(ids, table).toContain(kept.website.id);
  }
  expect(await platform.websites.listDeletedBefore(moment(9_000_000), 1000)).not.toContain(website.id);
});

test("the content version is 0 until the content store writes one", async () => {
  const { website } = await settle(platform);
  expect(await platform.websites.contentState(website.id)).toEqual({ contentVersion: 0, storeEpoch: 0 });
  await database.query({
    text: "INSERT INTO website_content (website_id, content_version, change_seq) VALUES ($1, 42, 99)",
    values: [website.id],
  });
  expect(await platform.websites.contentState(website.id)).toEqual({ contentVersion: 42, storeEpoch: 0 });
});
