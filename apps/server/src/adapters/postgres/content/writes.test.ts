import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { WebsiteId } from "#domain/ids";
import type { ContentStore } from "#ports/content-store";
import { at, buildContent, buildPublishedPost, buildRevision, buildTerm, edited, testId } from "#test/builders";
import { openTestDatabase } from "#test/postgres";
import { openPostgresContent } from "./open.ts";
import { editedColumns, smallColumns } from "./post-columns.ts";

let database: Awaited<ReturnType<typeof openTestDatabase>>;
let store: ContentStore;
let website: WebsiteId;
let roundTrips = 0;
let websites = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  const spied: typeof database = {
    ...database,
    query(statement) {
      roundTrips += 1;
      return database.query(statement);
    },
  };
  store = openPostgresContent(spied);
});
beforeEach(() => {
  website = testId("website", ++websites);
});
afterAll(() => database.close());

async function one<Row extends pg.QueryResultRow>(text: string, ...values: unknown[]): Promise<Row> {
  const { rows } = await database.query<Row>({ text, values });
  return rows[0]!;
}

/** Not compressible, so that every text is moved out of the row. */
const longText = (seed: number): string =>
  Array.from({ length: 9_000 }, (_, n) => String.fromCodePoint(0x4e00 + ((n * n * (seed + 7) + n * 31) % 20_000))).join("");

test("a save, an insert and a settlement are one round trip each", async () => {
  const post = buildPublishedPost(1, { websiteId: website });
  roundTrips = 0;
  await store.posts.insert(post, { visible: true });
  expect(roundTrips).toBe(1);
  await store.posts.save(edited(post), { visible: true });
  expect(roundTrips).toBe(2);
  await store.posts.settle(website, post.id, { eventIds: [testId("event", 1)], revision: buildRevision(1, post) });
  expect(roundTrips).toBe(3);
});

test("an autosave writes the working body and leaves the texts of the live copy where they lie", async () => {
  const live = buildContent(1, { body: longText(1) });
  const working = buildContent(1, { body: longText(2) });
  const post = buildPublishedPost(1, { websiteId: website, working: live });
  const { toast } = await one<{ toast: string }>("SELECT reltoastrelid::regclass::text AS toast FROM pg_class WHERE relname = 'posts'");
  const chunks = async () => {
    const { ids } = await one<{ ids: string[] }>(`SELECT array_agg(DISTINCT chunk_id::text) AS ids FROM ${toast}`);
    return new Set(ids);
  };
  await store.posts.insert(post, { visible: true });
  const before = await chunks();
  expect(before.size).toBeGreaterThanOrEqual(4);
  await store.posts.save(edited(post, { working }), { visible: false });
  const after = await chunks();
  expect([...after].filter((id) => !before.has(id))).toHaveLength(1);
  expect((await store.posts.get(website, post.id))?.live).toEqual(post.live);
});

test("an autosave that changes no facet touches no row of the facet tables", async () => {
  const working = buildContent(1, { tagIds: [testId("tag", 1), testId("tag", 2)], featured: true });
  const post = buildPublishedPost(1, { websiteId: website, working });
  await store.posts.insert(post, { visible: true });
  // A row that was locked or written has another xmin or xmax.
  const marks = () =>
    one(
      `SELECT
         (SELECT json_agg(json_build_array(ctid, xmin, xmax) ORDER BY facet) FROM live_facets WHERE website_id = $1) AS live,
         (SELECT json_agg(json_build_array(ctid, xmin, xmax) ORDER BY facet) FROM working_facets WHERE website_id = $1) AS working`,
      website,
    );
  const before = await marks();
  await store.posts.save(edited(post, { working: { ...working, title: "Other", body: "Other" } }), { visible: false });
  expect(await marks()).toEqual(before);
});

test("nodes are told of visible writes, and of no others, once each", async () => {
  const listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  const heard: (string | undefined)[] = [];
  listener.on("notification", (message) => heard.push(message.payload));
  await listener.query("LISTEN stet_signals");
  const post = buildPublishedPost(1, { websiteId: website });
  await store.posts.insert(post, { visible: false });
  await store.posts.save(edited(post), { visible: true });
  await store.posts.save({ ...post, version: 3 }, { visible: false });
  await store.posts.save({ ...post, version: 3 }, { visible: true });
  await store.terms.insert(buildTerm(1, { websiteId: website }));
  // Notifications come before the answer to a later query of the same connection.
  await listener.query("SELECT 1");
  await listener.end();
  expect(heard).toEqual([`content ${website}`, `content ${website}`]);
});

test("a website's first write can be visible, and nodes are told of it", async () => {
  const listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  const heard: (string | undefined)[] = [];
  listener.on("notification", (message) => heard.push(message.payload));
  await listener.query("LISTEN stet_signals");
  await store.posts.insert(buildPublishedPost(1, { websiteId: website }), { visible: true });
  await listener.query("SELECT 1");
  await listener.end();
  expect(heard).toEqual([`content ${website}`]);
});

test("purging beside settling leaves no revision without its post", async () => {
  for (let n = 0; n < 20; n++) {
    const post = buildPublishedPost(n, { websiteId: website });
    await store.posts.insert(post, { visible: false });
    await Promise.all([
      store.posts.settle(website, post.id, { eventIds: [], revision: buildRevision(1, post) }),
      store.posts.purge(website, post.id, 1),
      store.posts.settle(website, post.id, { eventIds: [], revision: buildRevision(2, post) }),
    ]);
  }
  expect(await one("SELECT count(*) AS count FROM revisions WHERE website_id = $1", website)).toEqual({ count: 0 });
});

test("a save of the text alone files a row anew that an earlier version filed otherwise, and needs no second statement where it need not", async () => {
  const tag = testId("tag", 1);
  const post = buildPublishedPost(1, { websiteId: website, working: buildContent(1, { tagIds: [tag] }) });
  await store.posts.insert(post, { visible: true });
  const typed = edited(post, { working: { ...post.working, body: "typed" } });
  const rest = { visible: false, claim: null, release: [], now: at(1e6), toolSave: null, lines: [] };
  roundTrips = 0;
  expect(await store.posts.saveWhole!({ ...rest, post: typed, before: post })).toBe("saved");
  expect(roundTrips).toBe(1);

  await one("UPDATE posts SET working_facets = '{}' WHERE website_id = $1", website);
  await one("DELETE FROM working_facets WHERE website_id = $1", website);
  const next = edited(typed, { working: { ...post.working, body: "typed on" } });
  expect(await store.posts.saveWhole!({ ...rest, post: next, before: typed })).toBe("saved");
  expect(await one("SELECT working_facets AS facets FROM posts WHERE website_id = $1", website)).toEqual({ facets: [tag] });
  expect(await one("SELECT facet FROM working_facets WHERE website_id = $1", website)).toEqual({ facet: tag });

  // A website without counters gets them.
  await one("DELETE FROM website_content WHERE website_id = $1", website);
  const last = edited(next, { working: { ...post.working, body: "typed to the end" } });
  expect(await store.posts.saveWhole!({ ...rest, post: last, before: next })).toBe("saved");
  expect(await one("SELECT change_seq::int FROM website_content WHERE website_id = $1", website)).toEqual({ change_seq: 1 });
});

test("what a save of the text alone leaves out is what it asks about first", () => {
  const post = buildPublishedPost(1);
  const edited = new Set(Object.keys(editedColumns(post)));
  const leftOut = Object.keys(smallColumns(post)).filter((column) => !edited.has(column));
  // Of a new column here, `isEditedOnly` must know whether it was changed. Nothing is pending in a whole save.
  expect(leftOut.filter((column) => !column.startsWith("live") && !column.startsWith("pending_"))).toEqual([
    "status",
    "owner_id",
    "created_at",
    "scheduled_at",
    "deleted_at",
    "past_slugs",
    "working_facets",
  ]);
});

test("a save of the text alone leaves a live copy that was rendered anew meanwhile", async () => {
  const post = buildPublishedPost(1, { websiteId: website });
  await store.posts.insert(post, { visible: true });
  const rendering = { ...post.live!.rendering, html: "<p>anew</p>", text: "anew", rendererVersion: 99 };
  await store.posts.saveRendering(post, post.version, rendering);
  const typed = edited(post, { working: { ...post.working, body: "typed" } });
  const rest = { visible: false, claim: null, release: [], now: at(1e6), toolSave: null, lines: [] };
  expect(await store.posts.saveWhole!({ ...rest, post: typed, before: post })).toBe("saved");
  expect((await store.posts.get(website, post.id))?.live?.rendering).toEqual(rendering);
});
