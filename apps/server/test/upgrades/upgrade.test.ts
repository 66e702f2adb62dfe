import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { POST_STATUSES, TERM_KINDS, type TermKind } from "@stet/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#adapters/postgres/database";
import { migrate, readMigrations } from "#adapters/postgres/migrate";
import { toolActor, userActor } from "#domain/actor";
import { timestamp } from "#domain/time";
import { verifyWebhook } from "#domain/webhook-signature";
import { createAccessTokens } from "#operations/without-actor/access-tokens";
import { registry } from "#operations/registry";
import { openTestDatabase } from "#test/postgres";
import { openTestServices, type TestServices } from "#test/services";
import { openReceiver } from "#test/webhooks/receiver";
import { publishDue } from "#worker/scheduler";
import { createDeliverer } from "#worker/webhooks/deliverer";
import type { Installation } from "./make-installation.ts";

/** As `record.test.ts` wrote them down: the rows as SQL, and beside them what one has to know of them. */
const RECORDED = globSync("at-*.json", { cwd: import.meta.dirname })
  .toSorted()
  .map((name) => {
    const file = path.join(import.meta.dirname, name);
    const installation = JSON.parse(readFileSync(file, "utf8")) as Installation;
    return { ...installation, lastMigration: name.slice(3, 7), rows: readFileSync(file.replace(".json", ".sql"), "utf8") };
  });

/** Columns that a migration took away. Whoever adds one says where its values went, and tests that. */
const TAKEN_AWAY = ["webhooks.previous_secret", "webhooks.previous_secret_until"]; // Into webhooks.previous_secrets.

type Row = Readonly<Record<string, unknown>>;
type Tables = Readonly<Record<string, readonly Row[]>>;

async function everyRow(database: Database): Promise<Tables> {
  const { rows: tables } = await database.query<{ name: string }>({
    text: `SELECT table_name AS name FROM information_schema.tables
           WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'stet_migrations'`,
  });
  const read = async ({ name }: { name: string }) => {
    const { rows } = await database.query<{ row: Row }>({ text: `SELECT row_to_json(t) AS row FROM "${name}" AS t` });
    return [name, rows.map(({ row }) => row)] as const;
  };
  return Object.fromEntries(await Promise.all(tables.map(read)));
}

const valuesOf = (rows: readonly Row[] = [], columns: readonly string[]) =>
  rows.map((row) => JSON.stringify(columns.map((column) => row[column]))).toSorted();

describe.each(RECORDED)("an installation as it was after migration $lastMigration, brought up to date", (given) => {
  const { workspaceId, websiteId } = given;
  const owner = userActor(given.ownerId);
  let services: TestServices;
  let before: Tables;
  let after: Tables;

  beforeAll(async () => {
    const database = await openTestDatabase({ migrated: false });
    const migrations = await readMigrations();
    await migrate(
      database,
      {},
      migrations.filter(({ name }) => name.slice(0, 4) <= given.lastMigration),
    );
    await database.query({ text: given.rows });
    before = await everyRow(database);
    await migrate(database);
    after = await everyRow(database);
    services = await openTestServices({}, database);
    services.now = new Date("2026-11-15T10:00:00.000Z");
  });
  afterAll(() => services.close());

  const posts = async () => (await services.call(registry.list_posts, owner, { websiteId, statuses: POST_STATUSES, limit: 100 })).items;
  const postCalled = async (title: string) => (await posts()).find(({ working }) => working.title === title)!;
  const on = (post: { id: string; version: number }) => ({ websiteId, postId: post.id, expectedVersion: post.version });

  test("has every file of an image in the ledger, to be read by the walk", () => {
    const files = after.media!.map(({ website_id, id, bytes, content_type, deleted_at }) => ({
      website_id,
      media_id: id,
      bytes,
      content_type,
      trashed: deleted_at !== null,
      store: "disk",
      state: "kept",
      sha256: null,
    }));
    expect(after.media_files).toEqual(files.map((file) => expect.objectContaining(file) as unknown));
    expect(files.length).toBeGreaterThan(0);
  });

  test("has lost no row, and every value is what it was", () => {
    expect(Object.values(before).flat().length).toBeGreaterThan(80);
    for (const [table, rows] of Object.entries(before)) {
      const columns = Object.keys(rows[0] ?? {}).filter((column) => !TAKEN_AWAY.includes(`${table}.${column}`));
      expect(valuesOf(after[table], columns), table).toEqual(valuesOf(rows, columns));
    }
  });

  test("lists its posts in every state, whole and by their heads, and counts them", async () => {
    const listed = await posts();
    expect(Object.fromEntries(listed.map(({ working, status }) => [working.title, status]))).toEqual({
      'A draft with 日本語 and "quotes"': "draft",
      Scheduled: "scheduled",
      "In the trash": "deleted",
      "In review": "draft",
      Unpublished: "unpublished",
      "Renamed once more": "published",
      "ÜBER uns": "published",
    });
    const heads = await services.call(registry.list_post_heads, owner, { websiteId, statuses: POST_STATUSES, limit: 100 });
    expect(heads.items.map(({ id, title, slug, status, version }) => ({ id, title, slug, status, version }))).toEqual(
      listed.map(({ id, working, status, version }) => ({ id, title: working.title, slug: working.slug, status, version })),
    );
    expect(heads.items.find(({ title }) => title === "In review")).toMatchObject({ waitsForReview: true });
    const counts = await services.contentOf({ id: websiteId }).posts.countByStatus(websiteId);
    expect(counts).toEqual({ draft: 2, scheduled: 1, published: 2, unpublished: 1, deleted: 1 });
  });

  test("shows readers what was live, and finds it", async () => {
    const content = services.contentOf({ id: websiteId });
    const renamed = await postCalled("Renamed once more");
    expect(await content.posts.getLive(websiteId, renamed.id)).toMatchObject({
      content: { title: "Renamed", slug: "another-name" },
      pastSlugs: ["renamed"],
      body: "Other text.",
    });
    const found = await content.search.search(websiteId, { text: "uber", language: "en", limit: 10, after: null });
    expect(found.rows.map(({ post }) => post.content.title)).toEqual(["ÜBER uns"]);
  });

  test("keeps its categories, tags, authors and images, and which posts show them", async () => {
    const termsOf = async (kind: TermKind) => (await services.call(registry.list_terms, owner, { websiteId, kind })).items;
    const [tag] = await termsOf("tag");
    expect((await Promise.all(TERM_KINDS.map(termsOf))).flat().map(({ name }) => name)).toEqual(["Café", "Keep", "Ÿvonne"]);
    const tagged = await services.call(registry.list_posts, owner, { websiteId, tagId: tag!.id });
    expect(tagged.items.map(({ working }) => working.title)).toContain("Renamed once more");
    const media = await services.call(registry.list_media, owner, { websiteId });
    expect(media.items).toMatchObject([{ filename: "red.png", alt: "Red", width: 37 }]);
  });

  test("still lets in whoever had a password or a key", async () => {
    expect(await services.accounts.verifyPassword(given.ownerId, given.password)).toBe(true);
    const { hash } = services.keyring.mac("api-key", given.apiKey);
    expect(await services.platform.keys.findByHash(hash)).toMatchObject({ websiteId, name: "Site", revokedAt: null });
  });

  test("delivers what waited, signed with the secrets from before, and lists it by title", async () => {
    const receiver = await openReceiver();
    const { active, failing, paused } = given.webhooks;
    for (const { id: webhookId } of [active, failing, paused]) {
      await services.call(registry.update_webhook, owner, { websiteId, webhookId, url: receiver.url });
    }
    await services.call(registry.resume_webhook, owner, { websiteId, webhookId: paused.id, resend: true });
    await createDeliverer(services).drain();
    const waited = receiver.received.filter(({ event }) => event.data.post?.["title"] === "ÜBER uns");
    expect(waited).toHaveLength(3);
    const signed = receiver.received.filter(({ headers, body }) =>
      active.secrets.every((secret) => verifyWebhook(String(headers["service-signature"]), body, secret, services.now)),
    );
    expect(signed.map(({ event }) => event.data.post?.["title"])).toEqual(["ÜBER uns"]);
    for (const title of ["über", "Uber", "uns"]) {
      const { rows } = await services.webhooks.listDeliveries(websiteId, { titleContains: title, after: null, limit: 10 });
      expect(rows.map((delivery) => delivery.title)).toEqual(["ÜBER uns", "ÜBER uns", "ÜBER uns"]);
    }
    await receiver.close();
  });

  test("goes on: posts are saved, updated, restored and published, and their history with them", async () => {
    const renamed = await postCalled("Renamed once more");
    const edited = await services.call(registry.edit_post, owner, { ...on(renamed), body: "Text of today." });
    await services.call(registry.update_live_post, owner, on(edited));
    const live = await services.contentOf({ id: websiteId }).posts.getLive(websiteId, renamed.id);
    expect(live).toMatchObject({ content: { title: "Renamed once more" }, body: "Text of today." });
    const history = await services.call(registry.list_revisions, owner, { websiteId, postId: renamed.id });
    expect(history.items.length).toBeGreaterThan(3);

    await services.call(registry.restore_post, owner, on(await postCalled("In the trash")));
    services.now = new Date("2026-11-16T08:00:00.000Z");
    await publishDue(services);
    const counts = await services.contentOf({ id: websiteId }).posts.countByStatus(websiteId);
    expect(counts).toEqual({ draft: 3, scheduled: 0, published: 3, unpublished: 1, deleted: 0 });
  });

  test.runIf(given.toolToken)("keeps its connected tool, what that did and can be undone, and the letters that wait", async () => {
    const found = await createAccessTokens(services).find(given.toolToken!);
    expect(found?.connection).toMatchObject({ userId: given.ownerId, client: { name: "Deploy" }, workspaces: workspaceId, calls: 1 });
    const { connection } = found!;
    const calls = await services.call(registry.list_tool_calls, owner, { workspaceId, connectionId: connection.id });
    expect(calls.items).toMatchObject([{ tool: "update_post", target: { label: "ÜBER uns" }, refusal: null }]);
    const { items } = await services.call(registry.preview_undo, owner, {
      workspaceId,
      connectionId: connection.id,
      since: calls.items[0]!.undoSince!,
    });
    expect(items).toMatchObject([{ label: "ÜBER uns", left: null }]);
    const post = await postCalled("ÜBER uns");
    const saved = await services.call(registry.edit_post, toolActor(given.ownerId, connection), { ...on(post), excerpt: "Today." });
    expect(saved.version).toBe(post.version + 1);
    const letters = await services.platform.mails.claimDue(timestamp(services.now), 30, 10);
    expect(letters).toMatchObject([{ to: "ada@example.com", subject: "An endpoint fails", text: "It does." }]);
  });
});
