import { beforeAll, describe, expect, test } from "vitest";
import { renderMarkdown } from "#domain/markdown/render";
import type { Website } from "#domain/website";
import { closedAtEnd } from "#test/closed-at-end";
import { fillWebsite } from "#test/full-website";
import { openTestServices, type Tenant } from "#test/services";
import { samplePost } from "../sample/helpers/sample-post.ts";
import { createPost } from "../posts/create-post.ts";
import { editPost } from "../posts/edit-post.ts";
import { createTerm } from "../terms/create-term.ts";
import { exportWebsite } from "./export-website.ts";
import { importWebsite } from "./import-website.ts";
import { imageId } from "../sample/helpers/images.ts";
import type { ImportResult } from "./helpers/report.ts";

const services = closedAtEnd(await openTestServices({ render: async (markdown) => renderMarkdown(markdown) }));
let tenant: Tenant;
let original: string[];

beforeAll(async () => {
  tenant = await services.makeTenant();
  await fillWebsite(services, tenant);
  original = await exported(tenant.website);
});

async function exported(website: Website, actor = tenant.actor): Promise<string[]> {
  const { lines } = await services.call(exportWebsite, actor, { websiteId: website.id });
  const all: string[] = [];
  for await (const line of lines) all.push(line);
  return all;
}

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size);
}

const imported = (website: Website, lines: readonly string[], size = 65_536): Promise<ImportResult> =>
  services.call(importWebsite, tenant.actor, { websiteId: website.id, source: pieces(lines.join(""), size) });

/** A website of its own in a workspace of its own, as the same owner cannot have more than five. */
async function emptyWebsite(): Promise<Website> {
  const { website, workspace } = await services.makeTenant();
  const userId = tenant.owner.id;
  await services.platform.members.add({ workspaceId: workspace.id, userId, role: "admin", joinedAt: workspace.createdAt });
  return website;
}

const contentLines = (lines: readonly string[]) => lines.slice(1, -1);
const parsed = (lines: readonly string[]) => lines.map((line) => JSON.parse(line) as Record<string, unknown> & { type: string });

describe("export and import", () => {
  test("an export imported into an empty website exports as the same lines", async () => {
    const website = await emptyWebsite();
    const result = await imported(website, original, 1_000);
    expect(result.conflicts).toEqual([]);
    expect(result.skipped).toEqual({ term: 0, media: 0, file: 0, post: 0, revision: 0 });
    expect(result.imported).toEqual(parsed(original).at(-1)!.counts);
    expect(result.fieldsAdded).toEqual(["rating"]);
    const again = await exported(website);
    expect(contentLines(again)).toEqual(contentLines(original));
  });

  test("holds every status, revisions, merged terms, field definitions and the bytes of images", () => {
    const records = parsed(original);
    expect(new Set(records.filter((record) => record.type === "post").map((record) => record.status))).toEqual(
      new Set(["draft", "scheduled", "published", "unpublished", "deleted"]),
    );
    const counts = records.at(-1)!.counts as Record<string, number>;
    expect(counts).toMatchObject({ media: 12, file: 12, post: 46 });
    expect(counts.revision).toBeGreaterThan(46);
    expect(records.filter((record) => record.type === "term" && record.mergedInto !== null).length).toBe(1);
    expect(original.join("")).not.toContain(`${tenant.website.id}/`);
  });

  test("what a key sees of the copy is rendered and filed as in the original", async () => {
    const website = await emptyWebsite();
    await imported(website, original);
    const content = services.contentOf(website);
    for (const index of [0, 7, 24]) {
      const { id } = samplePost(index);
      const [copy, source] = [await content.posts.getLive(website.id, id), await content.posts.getLive(tenant.website.id, id)];
      expect(copy!.rendering.html).toBe(source!.rendering.html.replaceAll(tenant.website.id, website.id));
      expect(copy!.mediaIds).toEqual(source!.mediaIds);
    }
    const bytesIn = ({ id }: Website) => Buffer.from(services.files.get(`${id}/${imageId("hills")}.png`)!);
    expect(bytesIn(website)).toEqual(bytesIn(tenant.website));
    expect((await services.platform.websites.contentState(website.id)).contentVersion).toBeGreaterThan(0);
    expect(await services.platform.events.list(website.id, 0, 10)).toEqual([]);
    expect((await content.claims.owners(website.id, "post", ["renamed", "another-name"])).size).toBe(2);
  });

  test("run again, everything is skipped; a record changed meanwhile is a conflict and left alone", async () => {
    const website = await emptyWebsite();
    await imported(website, original);
    const again = await imported(website, original);
    expect(again.imported).toEqual({ term: 0, media: 0, file: expect.any(Number), post: 0, revision: 0 });
    expect(again.conflictCount).toBe(0);
    const { id } = samplePost(3);
    const post = (await services.contentOf(website).posts.get(website.id, id))!;
    await services.call(editPost, tenant.actor, { websiteId: website.id, postId: id, expectedVersion: post.version, title: "Mine now" });
    const third = await imported(website, original);
    // Its history was left alone with it, which is one thing to be told.
    expect(third.conflicts).toMatchObject([{ type: "post", id, label: samplePost(3).content.title }]);
    expect(third.conflictCount).toBe(1);
    expect((await services.contentOf(website).posts.get(website.id, id))!.working.title).toBe("Mine now");
  });

  test("an import that was cut off says so, and the whole file then adds the rest", async () => {
    const website = await emptyWebsite();
    const cut = original.join("").slice(0, Math.floor(original.join("").length * 0.7));
    const whole = cut.slice(0, cut.lastIndexOf("\n") + 1);
    const failure = await imported(website, [whole]).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "VALIDATION_FAILED", message: expect.stringContaining("it is incomplete") });
    expect((failure as { facts: { soFar: ImportResult } }).facts.soFar.imported.post).toBeGreaterThan(0);
    const rest = await imported(website, original);
    expect(rest.skipped.post + rest.imported.post).toBe(46);
    expect(contentLines(await exported(website))).toEqual(contentLines(original));
  });

  test("a file cut in the middle of a line, or with a line taken out, is noticed", async () => {
    const website = await emptyWebsite();
    await expect(imported(website, [original.join("").slice(0, -200)])).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    const without = original.filter((_, index) => index !== original.length - 2);
    await expect(imported(await emptyWebsite(), without)).rejects.toMatchObject({ message: expect.stringContaining("damaged or edited") });
  });

  test("a file that is something else is called that, whatever it is", async () => {
    const website = await emptyWebsite();
    for (const text of ["", "\n", "title,slug\nHello,hello\n", '{"db":[]}', "null", original[1]!]) {
      await expect(imported(website, [text]), text).rejects.toMatchObject({ message: expect.stringContaining("not a Stet export") });
    }
  });

  test("a slug that the website uses is reported, and the post left out", async () => {
    const website = await emptyWebsite();
    const mine = await services.call(createPost, tenant.actor, { websiteId: website.id, title: "Mine", slug: "another-name" });
    const result = await imported(website, original);
    expect(result.conflicts).toMatchObject([{ type: "post", reason: expect.stringContaining(`belongs to the post "Mine" (${mine.id})`) }]);
    // None of its slugs stays claimed.
    expect([...(await services.contentOf(website).claims.owners(website.id, "post", ["renamed", "another-name"])).values()]).toEqual([
      mine.id,
    ]);
  });

  test("posts are sorted under the website's own category where the file's has the same slug, also when it is run again", async () => {
    const website = await emptyWebsite();
    const { id, content } = samplePost(3);
    const theirs = (await services.contentOf(tenant.website).terms.get(tenant.website.id, content.categoryIds[0]!))!;
    const mine = await services.call(createTerm, tenant.actor, {
      websiteId: website.id,
      kind: "category",
      name: "Of this website",
      slug: theirs.slug,
    });
    const result = await imported(website, original);
    expect(result.conflicts).toMatchObject([
      {
        type: "term",
        id: theirs.id,
        label: theirs.name,
        reason: expect.stringContaining('belongs to the category "Of this website" here'),
      },
    ]);
    const live = (await services.contentOf(website).posts.getLive(website.id, id))!;
    expect(live.content.categoryIds).toContain(mine.id);
    expect(live.content.categoryIds).not.toContain(theirs.id);
    const again = await imported(website, original);
    expect(again.imported).toMatchObject({ term: 0, post: 0, revision: 0 });
    expect(again.conflictCount).toBe(1);
  });

  test("an import that stopped on the way stands in the activity log with what it left, one that changed nothing does not", async () => {
    const website = await emptyWebsite();
    const lines = async () =>
      (await services.platform.activity.list(website.workspaceId, { action: "import_website", after: null, limit: 10 })).rows;
    await imported(website, ["no export\n"]).catch(() => {});
    expect(await lines()).toEqual([]);
    const half = original.slice(
      0,
      original.findLastIndex((line) => line.includes('"type":"post"')),
    );
    await imported(website, [...half, "{broken\n"]).catch(() => {});
    expect(await lines()).toMatchObject([
      { target: { id: website.id }, details: { media: 12, stopped: expect.stringMatching(`^Line ${half.length + 1} is not JSON`) } },
    ]);
    async function* cutOff() {
      yield* original.slice(0, -1);
      throw Object.assign(new Error("aborted"), { code: "ECONNRESET" });
    }
    const cut = services.call(importWebsite, tenant.actor, { websiteId: website.id, source: cutOff() });
    await expect(cut).rejects.toThrow("aborted");
    expect((await lines()).map(({ details }) => details["stopped"])).toContain("The connection ended before the file did.");
  });

  test("images beyond the plan's storage are reported, and no file stays behind", async () => {
    const small = await openTestServices({ plans: { ...services.plans, free: { ...services.plans.free, storageBytes: 20_000 } } });
    const { actor, workspace, website } = await small.makeTenant({ plan: "free" });
    const result = await small.call(importWebsite, actor, { websiteId: website.id, source: pieces(original.join(""), 65_536) });
    const refused = result.conflicts.filter((conflict) => conflict.type === "media");
    expect(refused.length).toBeGreaterThan(5);
    expect(refused[0]!.reason).toContain("Not enough image storage left for this image");
    expect(small.files.size).toBe(result.imported.media);
    expect((await small.platform.mediaFiles.totals(workspace.id)).get(website.id)).toBeLessThanOrEqual(20_000);
    await small.close();
  });

  test("an editor may neither export nor import, and another tenant finds nothing", async () => {
    const editor = await tenant.addMember("editor");
    const stranger = await services.makeTenant();
    await expect(services.call(exportWebsite, editor, { websiteId: tenant.website.id })).rejects.toMatchObject({
      code: "INSUFFICIENT_ROLE",
    });
    await expect(services.call(exportWebsite, stranger.actor, { websiteId: tenant.website.id })).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    await expect(
      services.call(importWebsite, stranger.actor, { websiteId: tenant.website.id, source: pieces("", 1) }),
    ).rejects.toMatchObject({ code: "NOT_FOUND" });
    await expect(services.call(importWebsite, tenant.actor, { websiteId: tenant.website.id, source: "text" })).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
    });
  });
});
