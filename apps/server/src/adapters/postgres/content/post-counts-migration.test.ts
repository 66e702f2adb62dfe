import { expect, test, vi } from "vitest";
import { buildPost } from "#test/builders";
import { openTestDatabase } from "#test/postgres";
import { migrate, readMigrations } from "../migrate.ts";
import { openPostgresContent } from "./open.ts";

test("what a node of the version before writes while another one migrates is counted too", async () => {
  const database = await openTestDatabase({ migrated: false });
  const all = await readMigrations();
  await migrate(
    database,
    {},
    all.filter(({ name }) => name < "0070"),
  );
  const content = openPostgresContent(database);
  const post = buildPost(1, { status: "draft" });
  await content.posts.insert(post, { visible: false });

  let migrated: Promise<number> | undefined;
  await database.transaction(async (old) => {
    await old.query({ text: "UPDATE posts SET status = 'unpublished'" });
    migrated = migrate(database, {}, all);
    const waiting = { text: "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'" };
    await vi.waitFor(async () => expect((await database.query(waiting)).rowCount).toBe(1), { timeout: 20_000, interval: 50 });
  });
  await migrated;
  expect(await content.posts.countByStatus(post.websiteId)).toMatchObject({ draft: 0, unpublished: 1 });
  await content.close();
  await database.close();
});
