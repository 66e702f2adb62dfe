import type { ChangesJson } from "@stet/contract";
import { seedWebsite } from "#operations/sample/seed-website";
import { beforeEach, expect, test } from "vitest";
import { encodeCursor } from "#domain/cursor";
import { DAY } from "#domain/time";
import { registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { type Reading, readingOf } from "#test/delivery/reading";
import { type Writing, writingIn } from "#test/delivery/writing";
import { openTestServices, type Tenant } from "#test/services";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let read: Reading;
let write: Writing;

beforeEach(async () => {
  tenant = await services.makeTenant();
  read = readingOf(services, tenant);
  write = writingIn(services, tenant);
});

const changes = (since?: string, more = ""): Promise<ChangesJson> =>
  read.json(`/blog/changes?${since === undefined ? "" : `since=${since}`}${more}`);

test("without `since` the answer is where to begin: read everything, then go on from its cursor", async () => {
  await write.post("Before");
  expect(await changes()).toMatchObject({ data: [], reset: true, pagination: { hasNext: false, nextCursor: null, limit: 25 } });
});

test("what was published, updated, renamed or removed is told in the order it was saved", async () => {
  const { cursor } = await changes();
  let one = await write.post("One");
  one = await write.revise(one, { title: "One!" });
  one = await write.revise(one, { slug: "uno" });
  const two = await write.post("Two");
  one = await write.unpublish(one);
  await write.trash(two);
  const answer = await changes(cursor);
  const at = "2026-11-15T09:00:00.000Z";
  expect(answer.reset).toBe(false);
  expect(answer.data).toEqual([
    { type: "published", postId: one.id, slug: "one", previousSlug: null, at },
    { type: "updated", postId: one.id, slug: "one", previousSlug: null, at },
    { type: "updated", postId: one.id, slug: "uno", previousSlug: "one", at },
    { type: "published", postId: two.id, slug: "two", previousSlug: null, at },
    { type: "removed", postId: one.id, slug: "uno", previousSlug: null, at },
    { type: "removed", postId: two.id, slug: "two", previousSlug: null, at },
  ]);
  const nothing = await changes(answer.cursor);
  const { cursor: last, fingerprint } = answer;
  expect(nothing).toEqual({
    data: [],
    cursor: last,
    reset: false,
    fingerprint,
    pagination: { hasNext: false, nextCursor: null, limit: 25 },
  });
  await write.post("Three");
  expect((await changes(answer.cursor)).data).toMatchObject([{ type: "published", slug: "three" }]);
});

test("following the cursor in small pages tells the same, each once", async () => {
  const { cursor } = await changes();
  for (let n = 0; n < 7; n++) await write.post(`Post ${n}`);
  const all = await changes(cursor);
  const seen = [];
  let next: string | null = cursor;
  while (next !== null) {
    const page: ChangesJson = await changes(next, "&limit=3");
    seen.push(...page.data);
    expect(page.pagination.nextCursor).toBe(page.pagination.hasNext ? page.cursor : null);
    next = page.pagination.nextCursor;
  }
  expect(seen).toEqual(all.data);
  expect(seen).toHaveLength(7);
});

test("what is not listed changes the fingerprint: terms, authors, images and settings; drafts and what nobody changed do not", async () => {
  const [author, tag, other] = [await write.term("author", "Ada"), await write.term("tag", "Bread"), await write.term("tag", "Loaf")];
  const image = await write.image("loaf.png");
  const live = await write.post("Live", { authorIds: [author.id], tagIds: [tag.id, other.id], coverMediaId: image.id });
  let { cursor, fingerprint } = await changes();
  const here = { websiteId: tenant.website.id };
  const steps: readonly (readonly [string, boolean, () => Promise<unknown>])[] = [
    ["nothing", false, async () => {}],
    ["a draft", false, async () => write.trash(await write.draft("Secret"))],
    ["an edit", false, () => write.edit(live, { title: "Not yet" })],
    ["an author", true, () => write.editTerm(author, { name: "Ada Baker" })],
    ["a merge", true, () => write.merge(other, tag)],
    ["a deletion", true, () => write.deleteTerm(tag)],
    ["the title", true, () => write.settings({ title: "Crumb" })],
    [
      "an image text",
      true,
      () => services.call(registry.edit_media, tenant.actor, { ...here, mediaId: image.id, expectedVersion: image.version, alt: "A loaf" }),
    ],
  ];
  for (const [name, isSeen, change] of steps) {
    await change();
    const answer = await changes(cursor);
    expect([name, answer.fingerprint !== fingerprint, answer.data, answer.reset]).toEqual([name, isSeen, [], false]);
    ({ cursor, fingerprint } = answer);
  }
});

test("a draft leaves no trace, not even when it is deleted; edits of a working copy neither", async () => {
  const { cursor } = await changes();
  const draft = await write.draft("Secret plan");
  await write.trash(draft);
  const live = await write.post("Live");
  await write.edit(live, { title: "Not yet" });
  const answer = await changes(cursor);
  expect(answer.data.map(({ slug }) => slug)).toEqual(["live"]);
  expect(JSON.stringify(answer)).not.toContain(draft.id);
});

test("a cursor stays good for 90 days of changes it has not seen, and for ever when nothing happened", async () => {
  await write.post("One");
  const { cursor } = await changes();
  services.pass(400 * DAY);
  expect(await changes(cursor)).toMatchObject({ data: [], reset: false });
  await write.post("Two");
  services.pass(90 * DAY);
  expect(await changes(cursor)).toMatchObject({ data: [{ slug: "two" }], reset: false });
  services.pass(1);
  const late = await changes(cursor);
  expect(late).toMatchObject({ data: [], reset: true });
  expect(await changes(late.cursor)).toMatchObject({ data: [], reset: false });
});

test("a cursor of another history answers reset: another website, a restored backup, one that was forgotten", async () => {
  await write.post("One");
  const { cursor } = await changes();
  const other = await services.makeTenant();
  await writingIn(services, other).post("Theirs");
  const elsewhere = readingOf(services, other);
  expect(await elsewhere.json(`/blog/changes?since=${cursor}`)).toMatchObject({ data: [], reset: true });
  const ahead = encodeCursor("changes", { key: "0.999", id: "evt_01h455vb4pex5vsknk084sn02q" });
  expect(await changes(ahead)).toMatchObject({ data: [], reset: true });
  const start = encodeCursor("changes", { key: "0.0", id: tenant.website.id });
  expect(await changes(start)).toMatchObject({ reset: false, data: [{ slug: "one" }] });
  await write.post("Two");
  await services.database.query({ text: "DELETE FROM events WHERE website_id = $1 AND sequence = 1", values: [tenant.website.id] });
  expect(await changes(start)).toMatchObject({ reset: true });
  expect(await changes(cursor)).toMatchObject({ reset: true });
});

test("after an import, which sends no events, a cursor answers reset once", async () => {
  await write.post("One");
  const { cursor } = await changes();
  await services.call(seedWebsite, tenant.actor, { websiteId: tenant.website.id, posts: 1 });
  const anew = await changes(cursor);
  expect(anew).toMatchObject({ data: [], reset: true });
  await write.post("Two");
  expect(await changes(anew.cursor)).toMatchObject({ reset: false, data: [{ slug: "two" }] });
});

test("a cursor that was altered is refused", async () => {
  const { cursor } = await changes();
  for (const since of [
    "",
    "x",
    cursor.slice(1),
    encodeCursor("title", { key: "1", id: "a" }),
    ...["1", "-1.0", "1.-5", "1.1e3", `0.${"9".repeat(16)}`, "a.b"].map((key) => encodeCursor("changes", { key, id: "a" })),
  ]) {
    expect(await read.code(`/blog/changes?since=${since}`)).toBe("INVALID_CURSOR");
  }
  expect(await read.code("/blog/changes?limit=101")).toBe("INVALID_LIMIT");
});
