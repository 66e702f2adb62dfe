import { expect, test } from "vitest";
import { newId } from "#domain/ids";
import { openDatabase } from "#adapters/postgres/database";
import { closedAtEnd } from "#test/closed-at-end";
import { anEvent, moment } from "#test/platform/records";
import { openTestDatabase } from "#test/postgres";
import { openPostgresPlatform } from "./platform.ts";

const database = closedAtEnd(await openTestDatabase());
const platform = openPostgresPlatform(database);

const sequences = (listed: readonly { sequence: number }[]) => listed.map((row) => row.sequence);

test("events come back as they were, numbered from 1 in the order they were written", async () => {
  const websiteId = newId("website");
  const events = [anEvent(websiteId), anEvent(websiteId, { previousSlug: "old \u0000 ü", changed: ["title"] }), anEvent(websiteId)];
  await platform.events.append(events.slice(0, 2));
  await platform.events.append(events.slice(2));
  expect(await platform.events.list(websiteId, 0, 10)).toEqual(events.map((event, i) => ({ sequence: i + 1, event })));
});

test("an event written again, alone or among others, is there once and keeps its number", async () => {
  const websiteId = newId("website");
  const [a, b, c] = [anEvent(websiteId), anEvent(websiteId), anEvent(websiteId)];
  await platform.events.append([a, b]);
  await platform.events.append([b, c, c]);
  await platform.events.append([a]);
  await platform.events.append([]);
  const listed = await platform.events.list(websiteId, 0, 10);
  expect(listed.map((row) => row.event.id)).toEqual([a.id, b.id, c.id]);
  expect(sequences(listed)).toEqual([1, 2, 3]);
});

test("a reader goes on after the last number it saw, at most so many at a time", async () => {
  const websiteId = newId("website");
  await platform.events.append(Array.from({ length: 5 }, () => anEvent(websiteId)));
  expect(sequences(await platform.events.list(websiteId, 0, 2))).toEqual([1, 2]);
  expect(sequences(await platform.events.list(websiteId, 2, 10))).toEqual([3, 4, 5]);
  expect(await platform.events.list(websiteId, 5, 10)).toEqual([]);
});

test("every website counts for itself, also within one call", async () => {
  const [one, two] = [newId("website"), newId("website")];
  await platform.events.append([anEvent(one), anEvent(two), anEvent(one)]);
  expect(sequences(await platform.events.list(one, 0, 10))).toEqual([1, 2]);
  expect(sequences(await platform.events.list(two, 0, 10))).toEqual([1]);
  expect(await platform.events.list(newId("website"), 0, 10)).toEqual([]);
});

test("the same event written by many at once is there once", async () => {
  const websiteId = newId("website");
  const event = anEvent(websiteId);
  await Promise.all(Array.from({ length: 16 }, () => platform.events.append([event, anEvent(websiteId)])));
  const listed = await platform.events.list(websiteId, 0, 100);
  expect(sequences(listed)).toEqual(Array.from({ length: 17 }, (_, i) => i + 1));
  expect(listed.filter((row) => row.event.id === event.id)).toHaveLength(1);
});

test("a reader that follows along sees every event, in order, while several nodes write", async () => {
  const websites = [newId("website"), newId("website")];
  const nodes = Array.from({ length: 2 }, () => openDatabase({ url: database.url, connections: 4 }));
  let writing = true;
  const writers = Promise.all(
    nodes.flatMap((node) =>
      Array.from({ length: 3 }, async (_, writer) => {
        const log = openPostgresPlatform(node).events;
        for (let i = 0; i < 20; i++) {
          // Alternating order: without a fixed order of locks two of these would wait for each other.
          const batch = websites.map((websiteId) => anEvent(websiteId, { at: moment(i) }));
          await log.append((i + writer) % 2 ? batch : batch.toReversed());
        }
      }),
    ),
  ).finally(() => {
    writing = false;
  });
  const seen: number[] = [];
  const follow = async () => {
    const rows = await platform.events.list(websites[0]!, seen.at(-1) ?? 0, 7);
    seen.push(...sequences(rows));
    return rows.length;
  };
  while (writing) await follow();
  await writers;
  while ((await follow()) > 0);
  await Promise.all(nodes.map((node) => node.close()));
  expect(seen).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
});

test("what an aborted transaction wrote leaves no gap", async () => {
  const { workspaces, locked, events } = platform;
  const id = newId("workspace");
  const websiteId = newId("website");
  await workspaces.create(
    { id, name: "W", plan: "free", createdAt: moment(), deletedAt: null },
    { workspaceId: id, userId: newId("user"), role: "owner", joinedAt: moment() },
  );
  const aborted = locked(id, async (inside) => {
    await inside.events.append([anEvent(websiteId)]);
    throw new Error("changed my mind");
  });
  await expect(aborted).rejects.toThrow("changed my mind");
  await events.append([anEvent(websiteId)]);
  expect(sequences(await events.list(websiteId, 0, 10))).toEqual([1]);
});
