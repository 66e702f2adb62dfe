import { beforeAll, expect, test } from "vitest";
import type { Actor } from "#domain/actor";
import { Failure } from "#domain/failure";
import type { PostId } from "#domain/ids";
import { execute } from "#operations/kernel/execute";
import type { Operation } from "#operations/kernel/operation";
import { type OperationName, registry } from "#operations/registry";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";
import { addSuggestion, fillTenant } from "./fill-tenant.ts";
import { INPUTS, type TenantIds, type Things } from "./operation-inputs.ts";

/** Stands in everything that others wrote and nobody published. */
const SECRET = "zwischenzeile";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant & { ids: TenantIds; things: Things };
let contributor: Actor;
let ownThings: Things;
let secretThings: Things;
let changedThings: Things;

beforeAll(async () => {
  const made = await services.makeTenant();
  tenant = { ...made, ...(await fillTenant(services, made)) };
  const here = { websiteId: tenant.website.id };
  const { actor } = tenant;
  const content = { title: `${SECRET} title`, body: `${SECRET} body`, excerpt: `${SECRET} excerpt`, slug: `${SECRET}-slug` };
  const use = { coverMediaId: tenant.things.mediaId, categoryIds: [tenant.things.categoryId] };
  const draft = await services.call(registry.create_post, actor, { ...here, ...content, ...use });
  await services.call(registry.request_review, actor, { ...here, postId: draft.id, expectedVersion: 1, note: `${SECRET} note` });
  const planned = await services.call(registry.create_post, actor, { ...here, ...content, ...use, slug: `${SECRET}-planned` });
  await services.call(registry.schedule_post, actor, { ...here, postId: planned.id, expectedVersion: 1, at: "2026-11-20T00:00:00.000Z" });
  const thrown = await services.call(registry.create_post, actor, { ...here, ...content, ...use, slug: `${SECRET}-thrown` });
  await services.call(registry.delete_post, actor, { ...here, postId: thrown.id, expectedVersion: 1 });
  // Published, and changed since: what is live is everybody's, the change is not.
  const live = await services.call(registry.create_post, actor, { ...here, title: "Live", body: "Live", ...use });
  await services.call(registry.publish_post, actor, { ...here, postId: live.id, expectedVersion: 1 });
  const { slug: _, ...change } = content;
  await services.call(registry.edit_post, actor, { ...here, postId: live.id, expectedVersion: 2, ...change });
  await services.call(registry.request_review, actor, { ...here, postId: live.id, expectedVersion: 3, note: `${SECRET} note` });
  const changes = await services.call(registry.list_revisions, actor, { ...here, postId: live.id });
  const suggestionId = await addSuggestion(services, here.websiteId, live.id, `${SECRET} suggestion`);
  changedThings = { ...tenant.things, postId: live.id, revisionId: changes.items[0]!.id, suggestionId };
  const { items } = await services.call(registry.list_revisions, actor, { ...here, postId: draft.id });
  secretThings = { ...tenant.things, postId: draft.id, revisionId: items[0]!.id };

  const member = await tenant.addMember("contributor");
  contributor = member;
  const own = await services.call(registry.create_post, member, { ...here, title: "Own", body: `[there](/${SECRET}-slug)`, ...use });
  const ownRevisions = await services.call(registry.list_revisions, member, { ...here, postId: own.id });
  ownThings = { ...tenant.things, postId: own.id, revisionId: ownRevisions.items[0]!.id };
  // What failed to be published is an alert on the home page.
  services.now = new Date("2026-11-21T00:00:00.000Z");
});

const EVERYTHING = { statuses: ["draft", "scheduled", "published", "unpublished", "deleted"], limit: 100 };
const WIDEST: Partial<Record<OperationName, Record<string, unknown>>> = {
  list_posts: EVERYTHING,
  list_post_heads: EVERYTHING,
  search_posts: { text: SECRET, in: "titles" },
  create_post: { title: "Another" },
};

const LASTING: readonly OperationName[] = ["leave_workspace"];
const names = (Object.keys(registry) as OperationName[]).filter((name) => !LASTING.includes(name));

async function said(name: OperationName, things: Things): Promise<string> {
  const input = { ...INPUTS[name](tenant.ids, things), ...WIDEST[name] };
  try {
    return JSON.stringify(await execute(services, registry[name] as unknown as Operation, contributor, input)) ?? "";
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return JSON.stringify([error.message, error.facts, error.errors]);
  }
}

test.each(names)("%s tells a contributor nothing of what others have not published", async (name) => {
  // Its own text names the address, and is told so.
  const mentioned =
    name === "check_post" || name === "get_post" || name === "get_post_with_terms" || name === "get_revision" || name === "diff_revisions";
  const own = await said(name, ownThings);
  expect(mentioned ? own.replaceAll(`/${SECRET}-slug`, "") : own).not.toContain(SECRET);
  expect(await said(name, secretThings)).not.toContain(SECRET);
  expect(await said(name, changedThings)).not.toContain(SECRET);
});

/** Every page of a list, and what its cursors hold, as whoever takes them apart reads it. */
async function paged(name: "list_posts" | "list_post_heads", query: object): Promise<{ ids: string[]; cursors: string }> {
  const ids: string[] = [];
  let cursors = "";
  for (let cursor: string | null = ""; cursor !== null;) {
    const input = { websiteId: tenant.website.id, limit: 1, ...query, ...(cursor && { cursor }) };
    const page: { items: readonly { id: string }[]; nextCursor: string | null } = await services.call(registry[name], contributor, input);
    ids.push(...page.items.map(({ id }) => id));
    cursors += Buffer.from(page.nextCursor ?? "", "base64url").toString();
    cursor = page.nextCursor;
  }
  return { ids, cursors };
}

test.each(["title", "-title"] as const)("pages by %s show a contributor every post once, and no working title of others", async (sort) => {
  const { ids, cursors } = await paged("list_posts", { sort });
  expect(cursors).not.toContain(SECRET);
  const whole = await paged("list_posts", { sort, limit: 100 });
  expect(ids).toEqual(whole.ids);
  expect(ids).toContain(changedThings.postId);
  expect(new Set(ids).size).toBe(ids.length);
});

test.each(["publishedAt", "-publishedAt"] as const)("pages by %s show a contributor what is published, each once", async (sort) => {
  const { ids } = await paged("list_post_heads", { sort });
  expect(ids).toContain(changedThings.postId);
  expect(new Set(ids).size).toBe(ids.length);
  const whole = await paged("list_post_heads", { sort, limit: 100 });
  expect(ids).toEqual(whole.ids);
  const { items } = await services.call(registry.list_post_heads, contributor, { websiteId: tenant.website.id, statuses: ["published"] });
  expect(ids.toSorted()).toEqual(items.map(({ id }) => id).toSorted());
});

test("a contributor finds others' posts by nothing that only their working copies hold", async () => {
  const { actor, website } = tenant;
  const here = { websiteId: website.id, postId: changedThings.postId as PostId };
  const tag = await services.call(registry.create_term, actor, { websiteId: website.id, kind: "tag", name: "Planned" });
  const { version } = await services.call(registry.get_post, actor, here);
  await services.call(registry.edit_post, actor, { ...here, expectedVersion: version, tagIds: [tag.id] });
  for (const name of ["list_posts", "list_post_heads"] as const) {
    for (const narrow of [{ tagId: tag.id }, { hasUnpublishedChanges: true }, { reviewRequested: true }, { titleContains: SECRET }]) {
      expect((await paged(name, narrow)).ids, JSON.stringify(narrow)).not.toContain(changedThings.postId);
    }
    expect((await paged(name, { categoryId: tenant.things.categoryId })).ids).toContain(changedThings.postId);
  }
  const passage = { websiteId: website.id, text: `${SECRET} body`, in: "markdown" };
  expect((await services.call(registry.search_posts, actor, passage)).items).not.toEqual([]);
  expect((await services.call(registry.search_posts, contributor, passage)).items).toEqual([]);
});
