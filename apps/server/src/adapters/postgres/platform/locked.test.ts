import { afterAll, beforeAll, expect, test } from "vitest";
import { fail } from "#domain/failure";
import { newId } from "#domain/ids";
import { type Database, openDatabase } from "#adapters/postgres/database";
import type { Platform } from "#ports/platform";
import { aKey, anEntry, aWebsite, moment, settle } from "#test/platform/records";
import { openTestDatabase } from "#test/postgres";
import { openPostgresPlatform } from "./platform.ts";

let database: Awaited<ReturnType<typeof openTestDatabase>>;
/** Another node of the same install: the two share nothing but the database. */
let otherDatabase: Database;
let platform: Platform;
let otherNode: Platform;
beforeAll(async () => {
  database = await openTestDatabase({ connections: 4 });
  otherDatabase = openDatabase({ url: database.url, connections: 4 });
  platform = openPostgresPlatform(database);
  otherNode = openPostgresPlatform(otherDatabase);
});
afterAll(async () => {
  await otherDatabase.close();
  await database.close();
});

function signal(): { given: Promise<void>; give: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { given: promise, give: resolve };
}

/** How many connections of this database wait for a lock right now. */
async function waiting(): Promise<number> {
  const { rows } = await database.query<{ count: number }>({
    text: "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
  });
  return rows[0]!.count;
}

test("two nodes that lock one workspace work one after the other", async () => {
  const { workspace } = await settle(platform);
  const story: string[] = [];
  const inside = signal();
  const goOn = signal();
  const first = platform.locked(workspace.id, async () => {
    story.push("first in");
    inside.give();
    await goOn.given;
    story.push("first out");
  });
  await inside.given;
  const second = otherNode.locked(workspace.id, async () => {
    story.push("second in");
  });
  await expect.poll(waiting).toBe(1);
  goOn.give();
  await Promise.all([first, second]);
  expect(story).toEqual(["first in", "first out", "second in"]);
});

test("different workspaces do not wait for each other", async () => {
  const [one, two] = [await settle(platform), await settle(platform)];
  const met = signal();
  await platform.locked(one.workspace.id, async () => {
    await otherNode.locked(two.workspace.id, async () => met.give());
    await met.given;
  });
});

test("a limit checked inside holds under 20 parallel creations from two nodes", async () => {
  const { workspace, website } = await settle(platform);
  const attempts = Array.from({ length: 20 }, (_, i) =>
    (i % 2 ? platform : otherNode).locked(workspace.id, async (inside) => {
      if ((await inside.keys.countLive(website.id)) >= 2) throw fail("PLAN_LIMIT", "Two keys are enough.");
      await inside.keys.create(aKey(website.id));
    }),
  );
  const results = await Promise.allSettled(attempts);
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(2);
  expect(await platform.keys.countLive(website.id)).toBe(2);
});

test("everything done inside is there afterwards, or nothing is", async () => {
  const { workspace } = await settle(platform);
  const website = aWebsite(workspace.id);
  const failing = platform.locked(workspace.id, async (inside) => {
    await inside.websites.create(website);
    await inside.workspaces.setPlan(workspace.id, "team");
    expect(await inside.websites.get(website.id)).toEqual(website);
    expect(await platform.websites.get(website.id)).toBeNull();
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await platform.websites.get(website.id)).toBeNull();
  expect((await platform.workspaces.get(workspace.id))?.plan).toBe("free");
  const answer = await platform.locked(workspace.id, async (inside) => {
    await inside.websites.create(website);
    return "made";
  });
  expect(answer).toBe("made");
  expect(await platform.websites.get(website.id)).toEqual(website);
});

test("a workspace that is gone, or never was, cannot be locked", async () => {
  const { workspace } = await settle(platform);
  await platform.workspaces.markDeleted(workspace.id, moment());
  const work = async () => "ran";
  await expect(platform.locked(workspace.id, work)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(platform.locked(newId("workspace"), work)).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("locking the same workspace again inside runs at once, as part of the same work", async () => {
  const { workspace } = await settle(platform);
  await platform.locked(workspace.id, (inside) =>
    inside.locked(workspace.id, (deeper) => deeper.workspaces.rename(workspace.id, "Herald")),
  );
  expect((await platform.workspaces.get(workspace.id))?.name).toBe("Herald");
});

test("a second workspace locked inside is held until the work ends", async () => {
  const [one, two] = [await settle(platform), await settle(platform)];
  const story: string[] = [];
  let second: Promise<void> | undefined;
  await platform.locked(one.workspace.id, async (inside) => {
    await inside.locked(two.workspace.id, async () => {});
    second = otherNode.locked(two.workspace.id, async () => {
      story.push("other node");
    });
    await expect.poll(waiting).toBe(1);
    story.push("work ends");
  });
  await second;
  expect(story).toEqual(["work ends", "other node"]);
});

test("locking through the outer platform while holding one says so, instead of waiting for itself for ever", async () => {
  const { workspace } = await settle(platform);
  const work = platform.locked(workspace.id, () => platform.locked(workspace.id, async () => {}));
  await expect(work).rejects.toThrow(/locked here already/);
  await expect(platform.locked(workspace.id, async () => "free again")).resolves.toBe("free again");
});

test("work that uses other connections finishes, however many wait and however small the pool", async () => {
  const places = await Promise.all(Array.from({ length: 6 }, () => settle(platform)));
  const attempts = Array.from({ length: 30 }, (_, i) => {
    const { workspace } = places[i % places.length]!;
    return platform.locked(workspace.id, async () => {
      // Another connection than the one that holds the lock, as the content store uses.
      await Promise.all([platform.ping(), platform.workspaces.get(workspace.id)]);
      return i;
    });
  });
  await expect(Promise.all(attempts)).resolves.toHaveLength(30);
});

test("what merely refers to a locked workspace can still be written", async () => {
  const { workspace } = await settle(platform);
  const userId = newId("user");
  await platform.locked(workspace.id, async () => {
    await platform.activity.append(anEntry(workspace.id));
    await platform.members.add({ workspaceId: workspace.id, userId, role: "editor", joinedAt: moment() });
  });
  expect(await platform.members.role(workspace.id, userId)).toBe("editor");
});

test("the database answers a ping, and a closed one does not", async () => {
  const closing = openDatabase({ url: database.url, connections: 1 });
  const reachable = openPostgresPlatform(closing);
  await reachable.ping();
  await closing.close();
  await expect(reachable.ping()).rejects.toThrow();
});
