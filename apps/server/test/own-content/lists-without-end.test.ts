import { expect, test } from "vitest";
import { readShownPage } from "#adapters/mongodb/read-shown-page";
import { sitemapRoute } from "#delivery/sitemap";
import { execute } from "#operations/kernel/execute";
import { registry } from "#operations/registry";
import type { ContentStore } from "#ports/content-store";
import { closedAtEnd } from "#test/closed-at-end";
import { readingOf } from "#test/delivery/reading";
import { writingIn } from "#test/delivery/writing";
import { oneStore } from "#test/one-store";
import { openTestServices } from "#test/services";

/** Whoever is still asking then would ask for ever. */
const PATIENCE = 20_000;
const NEXT = { key: "2026-01-01T00:00:00.000Z", id: "post_01h455vb4pex5vsknk084sn02q" };

const services = closedAtEnd(await openTestServices());
const tenant = await services.makeTenant();
const write = writingIn(services, tenant);
let asked = 0;
function another<T>(answer: T): T {
  asked += 1;
  if (asked > PATIENCE) throw new Error("It asks without end.");
  return answer;
}

/** As a customer's database can be that makes its answers up. */
const endless = (content: ContentStore): ContentStore => ({
  ...content,
  terms: { ...content.terms, list: async () => another({ rows: [], next: NEXT }) },
  posts: { ...content.posts, skipLive: async () => another(NEXT) },
  beside: { ...content.beside, list: async () => another({ rows: [NEXT as never], next: null }), delete: async () => {} },
});
const content = endless(services.contents.managed);
const call = (name: keyof typeof registry, input: object): Promise<unknown> =>
  execute({ ...services, contents: oneStore(content) }, registry[name] as never, tenant.actor, { websiteId: tenant.website.id, ...input });

test.each<[keyof typeof registry, () => Promise<object>]>([
  ["get_media", async () => ({ mediaId: (await write.image("a.gif")).id })],
  ["list_media", async () => ({ unused: true })],
  ["edit_term", async () => ({ termId: (await write.term("tag", "One")).id, expectedVersion: 1, name: "Two" })],
  ["list_terms", async () => ({ kind: "tag", sort: "-postCount" })],
  [
    "purge_post",
    async () => {
      const { id, version } = await write.trash(await write.draft("Away"));
      return { postId: id, expectedVersion: version };
    },
  ],
])("%s comes to its end where a list has none", async (name, inputOf) => {
  const input = await inputOf();
  asked = 0;
  // Too many to be sorted is an end, too.
  await call(name, input).catch((error: unknown) => expect(error).toMatchObject({ code: "UNSUPPORTED_SORT" }));
  expect(asked).toBeGreaterThan(0);
});

test("so do the sitemap, and the pages of what readers see", async () => {
  await write.settings({ publicUrl: "https://example.com" });
  asked = 0;
  const sitemap = await readingOf(services, tenant, { content, readRoutes: [sitemapRoute(1)] }).text("/blog/sitemap.xml");
  expect(sitemap.match(/<loc>/g)).toHaveLength(1_000);
  const page = async () => another({ rows: [], next: NEXT });
  const shown = await readShownPage({ page, keep: async () => [], afterRow: () => NEXT, after: null, limit: 10 });
  expect(shown).toEqual({ rows: [], next: NEXT });
});
