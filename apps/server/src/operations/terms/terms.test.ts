import { expect, test } from "vitest";

import { toolOf } from "#test/connected-tool";
import type { Term } from "#domain/term";
import { addMedia } from "#operations/media/add-media";
import { createPost } from "#operations/posts/create-post";
import { editPost } from "#operations/posts/edit-post";
import { createTerm } from "#operations/terms/create-term";
import { deleteTerm } from "#operations/terms/delete-term";
import { editTerm } from "#operations/terms/edit-term";
import { getTerm } from "#operations/terms/get-term";
import { listTerms } from "#operations/terms/list-terms";
import { mergeTerms } from "#operations/terms/merge-terms";
import { closedAtEnd } from "#test/closed-at-end";
import { imageBytes } from "#test/images";
import { openTestServices, type Tenant } from "#test/services";

const services = closedAtEnd(await openTestServices());

const at = (tenant: Tenant) => ({ websiteId: tenant.website.id });
const tag = (tenant: Tenant, name: string, more: Record<string, unknown> = {}) =>
  services.call(createTerm, tenant.actor, { ...at(tenant), kind: "tag", name, ...more });
const edit = (tenant: Tenant, term: Term, change: Record<string, unknown>) =>
  services.call(editTerm, tenant.actor, { ...at(tenant), termId: term.id, expectedVersion: term.version, ...change });
const get = (tenant: Tenant, term: Term) => services.call(getTerm, tenant.actor, { ...at(tenant), termId: term.id });
const merge = (tenant: Tenant, source: Term, target: Term) =>
  services.call(mergeTerms, tenant.actor, { ...at(tenant), sourceId: source.id, targetId: target.id });
const owners = async (tenant: Tenant, ...slugs: string[]) =>
  Object.fromEntries(await services.contentOf(tenant.website).claims.owners(tenant.website.id, "tag", slugs));

test("the slug comes from the name, and the next free one is taken when it was not chosen", async () => {
  const tenant = await services.makeTenant();
  const [first, second] = [await tag(tenant, "Café & Crème"), await tag(tenant, "Cafe creme")];
  expect([first.slug, second.slug]).toEqual(["cafe-creme", "cafe-creme-2"]);
  await expect(tag(tenant, "Other", { slug: "cafe-creme" })).rejects.toMatchObject({
    code: "SLUG_TAKEN",
    facts: { slug: "cafe-creme", termId: first.id },
  });
  await expect(tag(tenant, "Other", { slug: "No Slug" })).rejects.toMatchObject({ errors: [{ field: "slug" }] });
});

test("each kind has slugs of its own", async () => {
  const tenant = await services.makeTenant();
  for (const kind of ["category", "tag", "author"] as const) {
    const term = await services.call(createTerm, tenant.actor, { ...at(tenant), kind, name: "Garden" });
    expect(term).toMatchObject({ kind, slug: "garden", version: 1 });
  }
});

test("terms with one name made at the same moment get a slug each", async () => {
  const tenant = await services.makeTenant();
  const terms = await Promise.all(Array.from({ length: 6 }, () => tag(tenant, "Same")));
  expect(new Set(terms.map(({ slug }) => slug)).size).toBe(6);
});

test("a renamed term keeps its old slugs as redirects, and can have one of them back", async () => {
  const tenant = await services.makeTenant();
  const term = await tag(tenant, "Javascript");
  const renamed = await edit(tenant, term, { name: "JavaScript", slug: "js" });
  expect(renamed).toMatchObject({ version: 2, name: "JavaScript", slug: "js", pastSlugs: ["javascript"] });
  expect(await owners(tenant, "javascript", "js")).toEqual({ javascript: term.id, js: term.id });
  await expect(tag(tenant, "Thief", { slug: "javascript" })).rejects.toMatchObject({ code: "SLUG_TAKEN" });
  const back = await edit(tenant, renamed, { slug: "javascript" });
  expect(back).toMatchObject({ slug: "javascript", pastSlugs: ["js"] });
});

test("a term is not renamed to what another of its kind is called, by anybody; names that are double already stay", async () => {
  const tenant = await services.makeTenant();
  const [one, two] = [await tag(tenant, "Café"), await tag(tenant, "Two")];
  const refusal = {
    code: "VALIDATION_FAILED",
    errors: [{ field: "name", message: `is already the name of another tag, /cafe (${one.id}); merge the two, or choose another name` }],
  };
  await expect(edit(tenant, two, { name: "Café" })).rejects.toMatchObject(refusal);
  await expect(edit(tenant, two, { name: " cafe\u0301 " })).rejects.toMatchObject(refusal);
  expect(await get(tenant, two)).toMatchObject({ name: "Two", version: 1 });
  // Another kind, another accent, and its own name in other letters.
  const category = await services.call(createTerm, tenant.actor, { ...at(tenant), kind: "category", name: "Other" });
  expect(await edit(tenant, category, { name: "Café" })).toMatchObject({ name: "Café" });
  expect(await edit(tenant, two, { name: "Cafe" })).toMatchObject({ name: "Cafe" });
  expect(await edit(tenant, one, { name: "CAFÉ" })).toMatchObject({ name: "CAFÉ" });
  // Double already, such as after an import: everything else about them can be changed.
  const again = (await Promise.all([tag(tenant, "Same"), tag(tenant, "same")]))[1]!;
  expect(await edit(tenant, again, { name: "Same", description: "The second." })).toMatchObject({ version: 2 });
  // One that was merged is only another name of its target.
  await merge(tenant, await tag(tenant, "Away"), again);
  expect(await edit(tenant, await tag(tenant, "Third"), { name: "Away" })).toMatchObject({ name: "Away" });
});

test("a slug of another term is refused, and a stale version overwrites nothing", async () => {
  const tenant = await services.makeTenant();
  const [one, two] = [await tag(tenant, "One"), await tag(tenant, "Two")];
  await expect(edit(tenant, two, { slug: "one" })).rejects.toMatchObject({ code: "SLUG_TAKEN", facts: { termId: one.id } });
  await edit(tenant, two, { description: "first" });
  await expect(edit(tenant, two, { description: "second" })).rejects.toMatchObject({
    code: "VERSION_CONFLICT",
    facts: { currentVersion: 2 },
  });
  expect(await get(tenant, two)).toMatchObject({ description: "first", slug: "two" });
});

test("of edits at the same moment one is saved, and its slug stays its own", async () => {
  const tenant = await services.makeTenant();
  const term = await tag(tenant, "Busy");
  const results = await Promise.allSettled([1, 2, 3, 4].map(() => edit(tenant, term, { slug: "wanted" })));
  expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
  expect(await get(tenant, term)).toMatchObject({ slug: "wanted", version: 2 });
  expect(await owners(tenant, "wanted", "busy")).toEqual({ wanted: term.id, busy: term.id });
});

test("a merged term leads to its target with all its slugs, and so do those merged into it before", async () => {
  const tenant = await services.makeTenant();
  const [a, b, c] = [await tag(tenant, "A"), await tag(tenant, "B"), await tag(tenant, "C")];
  await merge(tenant, a, b);
  const { source, target } = await merge(tenant, b, c);
  expect(source.mergedInto).toBe(c.id);
  expect(target).toMatchObject({ id: c.id, slug: "c", version: 1 });
  expect((await get(tenant, a)).mergedInto).toBe(c.id);
  expect(await owners(tenant, "a", "b", "c")).toEqual({ a: a.id, b: b.id, c: c.id });
  const { items } = await services.call(listTerms, tenant.actor, { ...at(tenant), kind: "tag" });
  expect(items.map(({ name }) => name)).toEqual(["C"]);
});

test("a merge needs two different, unmerged terms of one kind", async () => {
  const tenant = await services.makeTenant();
  const [a, b] = [await tag(tenant, "A"), await tag(tenant, "B")];
  const category = await services.call(createTerm, tenant.actor, { ...at(tenant), kind: "category", name: "C" });
  await expect(merge(tenant, a, a)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  await expect(merge(tenant, a, category)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  await merge(tenant, a, b);
  await expect(merge(tenant, b, a)).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
  await expect(edit(tenant, { ...a, version: 2 }, { name: "Alias" })).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
});

test("merges in a circle at the same moment leave no term that leads to a merged one", async () => {
  const tenant = await services.makeTenant();
  const terms = await Promise.all(["A", "B", "C", "D"].map((name) => tag(tenant, name)));
  await Promise.allSettled(terms.map((term, i) => merge(tenant, term, terms[(i + 1) % terms.length]!)));
  const after = new Map((await Promise.all(terms.map((term) => get(tenant, term)))).map((term) => [term.id, term]));
  const remaining = [...after.values()].filter((term) => term.mergedInto === null);
  expect(remaining.length).toBeGreaterThan(0);
  for (const term of after.values()) if (term.mergedInto) expect(after.get(term.mergedInto)?.mergedInto).toBeNull();
});

test("the slug of a term that was merged into this one can become its own", async () => {
  const tenant = await services.makeTenant();
  const [short, long] = [await tag(tenant, "js"), await tag(tenant, "JavaScript")];
  await merge(tenant, short, long);
  expect(await edit(tenant, long, { slug: "js" })).toMatchObject({ slug: "js", pastSlugs: ["javascript"] });
  expect(await owners(tenant, "js", "javascript")).toEqual({ js: long.id, javascript: long.id });
});

test("counts include the posts of terms merged into one", async () => {
  const tenant = await services.makeTenant();
  const [a, b, unused] = [await tag(tenant, "A"), await tag(tenant, "B"), await tag(tenant, "Unused")];
  await services.call(createPost, tenant.actor, { ...at(tenant), title: "One", tagIds: [a.id] });
  await services.call(createPost, tenant.actor, { ...at(tenant), title: "Two", tagIds: [b.id] });
  expect(await get(tenant, b)).toMatchObject({ postCount: 1 });
  const { target } = await merge(tenant, a, b);
  expect(target.postCount).toBe(2);
  const { items } = await services.call(listTerms, tenant.actor, { ...at(tenant), kind: "tag" });
  expect(items.map(({ id, postCount }) => [id, postCount])).toEqual([
    [b.id, 2],
    [unused.id, 0],
  ]);
});

test("neither an edit nor a merge nor a deletion touches a post", async () => {
  const tenant = await services.makeTenant();
  const [a, b] = [await tag(tenant, "A"), await tag(tenant, "B")];
  const post = await services.call(createPost, tenant.actor, { ...at(tenant), title: "Still", tagIds: [a.id, b.id] });
  const before = await services.contentOf(tenant.website).posts.get(tenant.website.id, post.id);
  services.pass(1_000);
  await edit(tenant, a, { name: "Renamed" });
  await merge(tenant, a, b);
  await services.call(deleteTerm, tenant.actor, { ...at(tenant), termId: b.id });
  expect(await services.contentOf(tenant.website).posts.get(tenant.website.id, post.id)).toEqual(before);
});

test("a post that has a deleted term gets others all the same; one that never had it does not get it", async () => {
  const tenant = await services.makeTenant();
  const [gone, kept] = [await tag(tenant, "Gone"), await tag(tenant, "Kept")];
  const post = await services.call(createPost, tenant.actor, { ...at(tenant), title: "Has it", tagIds: [gone.id] });
  const other = await services.call(createPost, tenant.actor, { ...at(tenant), title: "Never had it" });
  await services.call(deleteTerm, tenant.actor, { ...at(tenant), termId: gone.id });
  const both = (postId: string) =>
    services.call(editPost, tenant.actor, { ...at(tenant), postId, expectedVersion: 1, tagIds: [gone.id, kept.id] });
  expect((await both(post.id)).working.tagIds).toEqual([gone.id, kept.id]);
  await expect(both(other.id)).rejects.toMatchObject({ errors: [{ field: "tagIds" }] });
});

test("a deleted term frees its slugs, and takes along what was merged into it", async () => {
  const tenant = await services.makeTenant();
  const [alias, term] = [await tag(tenant, "Alias"), await tag(tenant, "Term")];
  await edit(tenant, term, { slug: "renamed" });
  await merge(tenant, alias, term);
  await expect(services.call(deleteTerm, tenant.actor, { ...at(tenant), termId: alias.id })).rejects.toMatchObject({
    code: "INVALID_TRANSITION",
    facts: { mergedInto: term.id },
  });
  await services.call(deleteTerm, tenant.actor, { ...at(tenant), termId: term.id });
  await expect(get(tenant, term)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(get(tenant, alias)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await owners(tenant, "alias", "term", "renamed")).toEqual({});
});

test("lists go by name, can be narrowed, and page by cursor; a cursor of another kind is refused", async () => {
  const tenant = await services.makeTenant();
  for (const name of ["cherry", "Ábaco", "banana", "apple"]) await tag(tenant, name);
  const page = (input: Record<string, unknown>) => services.call(listTerms, tenant.actor, { ...at(tenant), kind: "tag", ...input });
  const first = await page({ limit: 3 });
  expect(first.items.map(({ name }) => name)).toEqual(["Ábaco", "apple", "banana"]);
  const second = await page({ limit: 3, cursor: first.nextCursor });
  expect(second).toMatchObject({ items: [{ name: "cherry" }], nextCursor: null });
  expect((await page({ nameContains: "ABA" })).items.map(({ name }) => name)).toEqual(["Ábaco"]);
  await expect(page({ kind: "author", cursor: first.nextCursor })).rejects.toMatchObject({ code: "INVALID_CURSOR" });
});

test("lists go by the number of posts or by age too, page by page, and equal counts by name", async () => {
  const tenant = await services.makeTenant();
  const [zebra, apple, merged] = [await tag(tenant, "Zebra"), await tag(tenant, "apple"), await tag(tenant, "Merged")];
  await tag(tenant, "Unused");
  services.pass(1_000);
  const newest = await tag(tenant, "Middle");
  for (const tagIds of [[zebra.id], [apple.id, merged.id], [zebra.id]]) {
    await services.call(createPost, tenant.actor, { ...at(tenant), title: "Post", tagIds });
  }
  await merge(tenant, merged, newest);
  const names = async (sort: string, limit: number) => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await services.call(listTerms, tenant.actor, { ...at(tenant), kind: "tag", sort, limit, ...(cursor && { cursor }) });
      found.push(...page.items.map(({ name }) => name));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    return found;
  };
  for (const limit of [1, 3, 50]) {
    expect(await names("-postCount", limit)).toEqual(["Zebra", "apple", "Middle", "Unused"]);
    const byAge = await names("-createdAt", limit);
    expect(byAge[0]).toBe("Middle");
    expect(byAge.toSorted()).toEqual(["Middle", "Unused", "Zebra", "apple"]);
  }
  const { nextCursor } = await services.call(listTerms, tenant.actor, { ...at(tenant), kind: "tag", limit: 1 });
  await expect(
    services.call(listTerms, tenant.actor, { ...at(tenant), kind: "tag", sort: "-postCount", cursor: nextCursor }),
  ).rejects.toMatchObject({ code: "INVALID_CURSOR" });
});

test("an author has a profile that names only what is here; other kinds have none", async () => {
  const [tenant, other] = [await services.makeTenant(), await services.makeTenant()];
  const author = (profile: Record<string, unknown>) =>
    services.call(createTerm, tenant.actor, { ...at(tenant), kind: "author", name: "Ada", profile });
  const image = await services.call(addMedia, tenant.actor, { ...at(tenant), bytes: imageBytes("png"), filename: "ada.png" });
  const foreign = await services.call(addMedia, other.actor, { ...at(other), bytes: imageBytes("png"), filename: "x.png" });
  const profile = { url: "https://ada.example", avatarMediaId: image.id, userId: tenant.owner.id };
  const made = await author(profile);
  expect(made.profile).toEqual(profile);
  expect((await edit(tenant, made, { profile: { url: null } })).profile).toEqual({ ...profile, url: null });
  await expect(author({ avatarMediaId: foreign.id, userId: other.owner.id })).rejects.toMatchObject({
    errors: [{ field: "profile.avatarMediaId" }, { field: "profile.userId" }],
  });
  await expect(author({ url: "javascript:alert(1)" })).rejects.toMatchObject({ errors: [{ field: "profile.url" }] });
  await expect(tag(tenant, "Tag", { profile: { url: null } })).rejects.toMatchObject({ errors: [{ field: "profile" }] });
});

test("authors create terms and no more, contributors none; a tool merges and deletes only where deleting is allowed", async () => {
  const tenant = await services.makeTenant();
  const [a, b] = [await tag(tenant, "A"), await tag(tenant, "B")];
  const [author, contributor] = [await tenant.addMember("author"), await tenant.addMember("contributor")];
  const creation = { ...at(tenant), kind: "tag", name: "New" };
  const [removal, union] = [
    { ...at(tenant), termId: a.id },
    { ...at(tenant), sourceId: a.id, targetId: b.id },
  ];
  await expect(services.call(createTerm, contributor, creation)).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
  await expect(services.call(createTerm, author, creation)).resolves.toBeDefined();
  await expect(services.call(editTerm, author, { ...removal, expectedVersion: 1, name: "X" })).rejects.toMatchObject({
    code: "INSUFFICIENT_ROLE",
  });
  await expect(services.call(deleteTerm, author, removal)).rejects.toMatchObject({ code: "INSUFFICIENT_ROLE" });
  const [careful, trusted] = [await toolOf(services, tenant.owner.id), await toolOf(services, tenant.owner.id, { allowDelete: true })];
  await expect(services.call(mergeTerms, careful, union)).rejects.toMatchObject({ code: "GRANT_FORBIDS" });
  await expect(services.call(deleteTerm, careful, removal)).rejects.toMatchObject({ code: "GRANT_FORBIDS" });
  await expect(services.call(mergeTerms, trusted, union)).resolves.toBeDefined();
});

test("a term of another website is not found", async () => {
  const [mine, theirs] = [await services.makeTenant(), await services.makeTenant()];
  const [term, own] = [await tag(theirs, "Theirs"), await tag(mine, "Mine")];
  await expect(get(mine, term)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(edit(mine, term, { name: "Taken" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(merge(mine, own, term)).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(services.call(deleteTerm, mine.actor, { ...at(mine), termId: term.id })).rejects.toMatchObject({ code: "NOT_FOUND" });
});
