import { beforeAll, describe, expect, test } from "vitest";
import { renderMarkdown } from "#domain/markdown/render";
import { DAY, timestamp } from "#domain/time";
import type { Website } from "#domain/website";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";
import { seedWebsite } from "../sample/seed-website.ts";
import { samplePost } from "../sample/helpers/sample-post.ts";
import { imageId } from "../sample/helpers/images.ts";
import { exportWebsite } from "./export-website.ts";
import { importWebsite } from "./import-website.ts";

const services = closedAtEnd(await openTestServices({ render: async (markdown) => renderMarkdown(markdown) }));
let tenant: Tenant;
let lines: string[];
beforeAll(async () => {
  tenant = await services.makeTenant();
  await services.call(seedWebsite, tenant.actor, { websiteId: tenant.website.id, posts: 2 });
  lines = [];
  for await (const line of (await services.call(exportWebsite, tenant.actor, { websiteId: tenant.website.id })).lines) lines.push(line);
});

type Json = Record<string, unknown>;
const find = (type: string) => lines.findIndex((line) => line.startsWith(`{"type":"${type}"`));
const parsed = (type: string) => JSON.parse(lines[find(type)]!) as Json;

async function attempt(changed: readonly string[], website: Website, actor = tenant.actor) {
  async function* source() {
    yield* changed;
  }
  return services.call(importWebsite, actor, { websiteId: website.id, source: source() });
}

/** The export with the first line of a type replaced. */
const withLine = (type: string, line: string) => lines.map((old, index) => (index === find(type) ? `${line}\n` : old));
const withChange = (type: string, change: Json) => withLine(type, JSON.stringify({ ...parsed(type), ...change }));

async function refusal(changed: readonly string[]): Promise<{ code: string; message: string }> {
  const { website, actor } = await services.makeTenant();
  return attempt(changed, website, actor).then(
    () => ({ code: "none", message: "it was imported" }),
    (error: { code: string; message: string }) => error,
  );
}

describe("hostile lines", () => {
  const live = () => parsed("post").live as Json;
  const working = () => parsed("post").working as Json;
  const bad: readonly (readonly [string, string, () => string | Json])[] = [
    ["another website's id", "post", () => ({ websiteId: "site_01h455vb4pex5vsknk084sn02q" })],
    ["an id of another kind", "post", () => ({ id: "tag_01h455vb4pex5vsknk084sn02q" })],
    ["an id that is none", "post", () => ({ id: "../../etc" })],
    ["a category that is a tag", "post", () => ({ working: { ...working(), categoryIds: ["tag_01h455vb4pex5vsknk084sn02q"] } })],
    ["ready-made HTML", "post", () => ({ live: { ...live(), rendering: { html: "<script>alert(1)</script>" } } })],
    ["pending events", "post", () => ({ pendingEvents: [] })],
    ["a status without what it needs", "post", () => ({ status: "scheduled" })],
    ["published without a live copy", "post", () => ({ live: null })],
    ["a version that is no number", "post", () => ({ version: "1; DROP TABLE posts" })],
    ["a version too large for the store", "post", () => ({ version: 2 ** 31 })],
    ["a version that leaves no room for edits", "post", () => ({ version: 2 ** 31 - 1 })],
    ["a term's version that leaves no room for edits", "term", () => ({ version: 2 ** 31 - 1 })],
    ["an image's version that leaves no room for edits", "media", () => ({ version: 2 ** 31 - 1 })],
    ["a revision's version that leaves no room for edits", "revision", () => ({ version: 2 ** 31 - 1 })],
    ["a post edited in the year 9999", "post", () => ({ editedAt: "9999-12-31T23:59:59.999Z" })],
    ["a live copy changed in the year 9999", "post", () => ({ live: { ...live(), updatedAt: "9999-12-31T23:59:59.999Z" } })],
    ["a revision from next week", "revision", () => ({ at: timestamp(services.now.getTime() + 7 * DAY) })],
    ["a term made in the year 9999", "term", () => ({ createdAt: "9999-12-31T23:59:59.999Z" })],
    ["an image thrown away in the year 9999", "media", () => ({ deletedAt: "9999-12-31T23:59:59.999Z" })],
    ["a year that PostgreSQL does not have", "post", () => ({ createdAt: "0000-01-01T00:00:00.000Z" })],
    ["a slug with a path", "post", () => ({ working: { ...working(), slug: "../admin" } })],
    ["a NUL in a title", "post", () => ({ working: { ...working(), title: "a\u0000b" } })],
    [
      "a NUL in what a reviewer was told",
      "post",
      () => ({ review: { requestedBy: parsed("post").editedBy, requestedAt: parsed("post").editedAt, note: "a\u0000b" } }),
    ],
    ["a body over the limit", "post", () => ({ working: { ...working(), body: "x".repeat(1024 * 1024 + 1) } })],
    [
      "a prototype in the fields",
      "post",
      () => JSON.stringify(parsed("post")).replace('"fields":{}', '"fields":{"__proto__":{"admin":true}}'),
    ],
    ["a prototype at the top", "post", () => JSON.stringify(parsed("post")).replace("{", '{"__proto__":{"status":"draft"},')],
    [
      "fields nested a thousand deep",
      "post",
      () => JSON.stringify(parsed("post")).replace('"fields":{}', `"fields":{"a":${"[".repeat(1_000)}${"]".repeat(1_000)}}`),
    ],
    [
      "a storage key of somebody else",
      "media",
      () => ({ storageKey: "site_01h455vb4pex5vsknk084sn02q/media_01h455vb4pex5vsknk084sn02q.png" }),
    ],
    ["an image that is a page", "media", () => ({ contentType: "text/html" })],
    ["a file name with folders", "media", () => ({ filename: "../../x.png" })],
    ["bytes for another image", "file", () => ({ mediaId: "media_01h455vb4pex5vsknk084sn02q" })],
    ["a part that is out of order", "file", () => ({ part: 1 })],
    ["data that is not base64", "file", () => ({ data: "%%%" })],
    ["a revision of another post", "revision", () => ({ postId: samplePost(99).id })],
    ["a merge across kinds", "term", () => ({ mergedInto: "tag_01h455vb4pex5vsknk084sn02q" })],
    ["a type that does not exist", "term", () => ({ type: "constructor" })],
    ["no JSON", "term", () => "{"],
    ["an empty line", "term", () => ""],
    ["a newer format", "manifest", () => ({ format: 2 })],
    [
      "a field definition that JavaScript would trip over",
      "manifest",
      () => ({
        website: { ...(parsed("manifest").website as Json), fieldDefinitions: [{ key: "constructor", label: "x", type: "text" }] },
      }),
    ],
  ];
  test.each(bad)("%s is refused with the number of the line", async (_, type, change) => {
    const given = change();
    const failure = await refusal(typeof given === "string" ? withLine(type, given) : withChange(type, given));
    expect(failure.code).toBe("VALIDATION_FAILED");
    expect(failure.message).toContain(`Line ${find(type) + 1}`);
  });

  test("a line without end is refused before it fills the memory", async () => {
    async function* endless() {
      yield lines[0]!;
      for (;;) yield "x".repeat(1024 * 1024);
    }
    const { website, actor } = await services.makeTenant();
    await expect(services.call(importWebsite, actor, { websiteId: website.id, source: endless() })).rejects.toMatchObject({
      code: "PAYLOAD_TOO_LARGE",
      facts: { line: 2 },
    });
  });

  test("bytes that are not the image they claim to be are not stored", async () => {
    const { website, actor } = await services.makeTenant();
    const html = Buffer.from("<html><script>alert(1)</script></html>");
    const changed = withChange("file", { data: html.toString("base64") });
    const failure = await attempt(changed, website, actor).catch(
      (error: { facts: { soFar: { conflicts: { type: string; reason: string }[] } } }) => error,
    );
    const { soFar } = (failure as { facts: { soFar: { conflicts: { type: string; reason: string }[] } } }).facts;
    expect(soFar.conflicts).toMatchObject([{ type: "media", reason: expect.stringContaining("do not match the image") }]);
    expect([...services.files].filter(([key, bytes]) => key.startsWith(website.id) && Buffer.from(bytes).includes("script"))).toEqual([]);
  });

  test("attacks in a body come out harmless, because the HTML is made here", async () => {
    const { website, actor } = await services.makeTenant();
    const body = "# Hi\n\n<img src=x onerror=alert(1)> <script>alert(1)</script> [x](javascript:alert(1))";
    const changed = withChange("post", { live: { ...live(), content: { ...(live().content as Json), body } } });
    // The closing line rightly says that the file was edited; what came before is in.
    await expect(attempt(changed, website, actor)).rejects.toMatchObject({ message: expect.stringContaining("damaged or edited") });
    const post = await services.contentOf(website).posts.getLive(website.id, parsed("post").id as never);
    expect(post!.rendering.html).not.toMatch(/onerror|<script|href="javascript/);
  });

  test("nothing of another website changes, whatever ids the lines have", async () => {
    const { website, actor } = await services.makeTenant();
    const before = await services.contentOf(tenant.website).posts.get(tenant.website.id, samplePost(0).id);
    const changed = withChange("post", { working: { ...working(), title: "Taken over" } });
    await attempt(changed, website, actor).catch(() => {});
    expect(await services.contentOf(tenant.website).posts.get(tenant.website.id, samplePost(0).id)).toEqual(before);
    expect(services.files.has(`${tenant.website.id}/${imageId("hills")}.png`)).toBe(true);
  });

  test("a merged term that leads in a circle, or nowhere, is left out", async () => {
    const { website, actor } = await services.makeTenant();
    const { id } = parsed("term");
    const failure = await attempt(withChange("term", { mergedInto: id }), website, actor).catch((error: unknown) => error);
    expect(failure).toMatchObject({ facts: { soFar: { conflicts: [{ type: "term", id, reason: expect.stringContaining("not here") }] } } });
  });
});
