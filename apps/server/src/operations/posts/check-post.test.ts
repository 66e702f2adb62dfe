import { expect, test } from "vitest";
import { addMedia } from "#operations/media/add-media";
import { checkPost } from "#operations/posts/check-post";
import { createPost } from "#operations/posts/create-post";
import { editPost } from "#operations/posts/edit-post";
import { publishPost } from "#operations/posts/publish-post";
import { unpublishPost } from "#operations/posts/unpublish-post";
import { updateLivePost } from "#operations/posts/update-live-post";
import { setFieldDefinitions } from "#operations/websites/set-field-definitions";
import { updateWebsite } from "#operations/websites/update-website";
import { closedAtEnd } from "#test/closed-at-end";
import { distinctImage } from "#test/images";
import { openTestServices, type Tenant } from "#test/services";

const services = closedAtEnd(await openTestServices());

const at = (tenant: Tenant) => ({ websiteId: tenant.website.id });
const FINE = { title: "A fine title", excerpt: "What it is about.", body: "# One\n\nText.\n\n## Two\n\n### Three\n\n# Four\n" };

async function findings(tenant: Tenant, content: Record<string, unknown>) {
  const { id } = await services.call(createPost, tenant.actor, { ...at(tenant), ...FINE, ...content });
  return services.call(checkPost, tenant.actor, { ...at(tenant), postId: id });
}
const kinds = async (tenant: Tenant, content: Record<string, unknown>) => (await findings(tenant, content)).map(({ kind }) => kind);

test("a post that lacks nothing has no findings", async () => {
  expect(await findings(await services.makeTenant(), {})).toEqual([]);
});

test("what stops a post is exactly what publishing refuses", async () => {
  const tenant = await services.makeTenant();
  const { version } = (await services.platform.websites.get(tenant.website.id))!;
  const price = { key: "price", label: "Price", type: "number", required: true, help: "", options: [] };
  await services.call(setFieldDefinitions, tenant.actor, { ...at(tenant), expectedVersion: version, fieldDefinitions: [price] });
  const post = await services.call(createPost, tenant.actor, { ...at(tenant), ...FINE, title: "" });
  const stops = (await services.call(checkPost, tenant.actor, { ...at(tenant), postId: post.id })).filter(
    ({ severity }) => severity === "stops",
  );
  expect(stops.map(({ kind, where }) => [kind, where.field])).toEqual([
    ["title-missing", "title"],
    ["field-missing", "fields.price"],
  ]);
  await expect(services.call(publishPost, tenant.actor, { ...at(tenant), postId: post.id, expectedVersion: 1 })).rejects.toMatchObject({
    errors: stops.map(({ where }) => ({ field: where.field })),
  });
});

test("an empty body, no description and a title that search results cut are advice", async () => {
  const tenant = await services.makeTenant();
  expect(await findings(tenant, { body: " \n", excerpt: "", title: "x".repeat(61) })).toMatchObject([
    { kind: "body-empty", severity: "advice" },
    { kind: "description-missing", severity: "advice" },
    { kind: "title-long", severity: "advice", where: { field: "title" } },
  ]);
  expect(await kinds(tenant, { excerpt: "", seo: { description: "Said here." } })).toEqual([]);
  expect(await kinds(tenant, { title: "y".repeat(90), seo: { title: "Short" } })).toEqual([]);
  expect(await kinds(tenant, { body: "![A cat](https://example.com/cat.png)" })).toEqual([]);
});

test("a text that begins with its title shows it twice, one that comes to it later does not", async () => {
  const tenant = await services.makeTenant();
  for (const body of ["# A fine title\n\nText.", "\n\nA FINE TITLE\n======\n\nText.", "## A *fine* title\n\nText."])
    expect(await findings(tenant, { body })).toMatchObject([
      { kind: "title-repeated", severity: "advice", where: { field: "body", detail: "h-a-fine-title" } },
    ]);
  for (const body of ["Text.\n\n## A fine title\n\nMore.", "## A fine title, explained\n\nText."])
    expect(await kinds(tenant, { body })).toEqual([]);
});

test("images without alt text are named, the cover too unless it or the post has one", async () => {
  const tenant = await services.makeTenant();
  let uploads = 0;
  const add = (alt: string) =>
    services.call(addMedia, tenant.actor, { ...at(tenant), bytes: distinctImage(uploads++), filename: "dot.gif", alt });
  const [plain, told] = [await add(""), await add("A dot")];
  const body = "![](https://example.com/a.png) ![told](https://example.com/b.png)\n";
  expect(await findings(tenant, { body, coverMediaId: plain.id })).toMatchObject([
    { kind: "cover-alt-missing", where: { detail: plain.id } },
    { kind: "image-alt-missing", where: { field: "body", detail: "https://example.com/a.png" } },
  ]);
  expect(await kinds(tenant, { coverMediaId: told.id })).toEqual([]);
  expect(await kinds(tenant, { coverMediaId: plain.id, coverAlt: "For this post" })).toEqual([]);
});

test("a heading that skips a level is advice, going back up is not", async () => {
  const tenant = await services.makeTenant();
  const found = await findings(tenant, { body: "## Two\n\n#### Four\n\n# One\n\n## Two again\n" });
  expect(found).toMatchObject([{ kind: "heading-skips", where: { detail: "h-four" } }]);
  expect(found[0]!.message).toContain('"Four" is level 4 right after level 2');
});

test("links to the website's own posts are broken unless a published post has or had that address", async () => {
  const tenant = await services.makeTenant();
  const { version } = (await services.platform.websites.get(tenant.website.id))!;
  await services.call(updateWebsite, tenant.actor, {
    ...at(tenant),
    expectedVersion: version,
    settings: { publicUrl: "https://example.com/blog" },
  });
  const make = async (title: string) => {
    const { id } = await services.call(createPost, tenant.actor, { ...at(tenant), title, body: "Text." });
    return services.call(publishPost, tenant.actor, { ...at(tenant), postId: id, expectedVersion: 1 });
  };
  const live = await make("Live");
  const renamed = await make("Old name");
  const edited = await services.call(editPost, tenant.actor, {
    ...at(tenant),
    postId: renamed.id,
    expectedVersion: renamed.version,
    slug: "new-name",
  });
  await services.call(updateLivePost, tenant.actor, { ...at(tenant), postId: renamed.id, expectedVersion: edited.version });
  // Claimed by a rename that nobody published: the address leads nowhere yet.
  await services.call(editPost, tenant.actor, { ...at(tenant), postId: live.id, expectedVersion: live.version, slug: "planned" });
  const gone = await make("Gone");
  await services.call(unpublishPost, tenant.actor, { ...at(tenant), postId: gone.id, expectedVersion: gone.version });
  const body = [
    "[live](/blog/live) [with the host](https://example.com/blog/live/?x=1#top) [renamed](/blog/old-name) [now](/blog/new-name)",
    "[planned](/blog/planned) [gone](https://example.com/blog/gone) [never](/blog/never) [never again](/blog/never#part)",
    "[elsewhere](https://other.example/blog/never) [outside](/about) [deeper](/blog/tags/never) [here](#part) <a@example.com>",
  ].join("\n\n");
  const found = await findings(tenant, { title: "Links", body });
  expect(found.map(({ kind, where }) => [kind, where.detail])).toEqual([
    ["link-broken", "/blog/planned"],
    ["link-broken", "https://example.com/blog/gone"],
    ["link-broken", "/blog/never"],
  ]);
});

test("a slug that another post took meanwhile stops it", async () => {
  const tenant = await services.makeTenant();
  const post = await services.call(createPost, tenant.actor, { ...at(tenant), ...FINE, slug: "wanted" });
  const other = await services.call(createPost, tenant.actor, { ...at(tenant), ...FINE });
  await services.contentOf(tenant.website).claims.move(tenant.website.id, "post", "wanted", post.id, other.id);
  expect(await services.call(checkPost, tenant.actor, { ...at(tenant), postId: post.id })).toMatchObject([
    { kind: "slug-taken", severity: "stops", where: { field: "slug", detail: "wanted" } },
  ]);
});
