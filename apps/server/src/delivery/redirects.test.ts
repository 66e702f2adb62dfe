import { beforeEach, expect, test } from "vitest";
import { registry } from "#operations/registry";
import { type Reading, readingOf } from "#test/delivery/reading";
import { type Writing, writingIn } from "#test/delivery/writing";
import { onBothEngines } from "#test/on-both-engines";
import type { Tenant } from "#test/services";

await onBothEngines((services) => {
  let tenant: Tenant;
  let read: Reading;
  let write: Writing;
  beforeEach(async () => {
    tenant = await services.makeTenant();
    read = readingOf(services, tenant);
    write = writingIn(services, tenant);
  });
  const pairs = async () =>
    (await read.json("/blog/redirects")).data.map(({ from, to }: { from: string; to: string }) => `${from} > ${to}`).toSorted();

  test("every former slug of a live post leads to its present one; a slug of an edit that is not live is none", async () => {
    let post = await write.post("One", { slug: "first" });
    expect(await pairs()).toEqual([]);
    post = await write.revise(post, { slug: "second" });
    post = await write.revise(post, { slug: "third" });
    await write.edit(post, { slug: "secret" });
    expect(await pairs()).toEqual(["first > third", "second > third"]);
    expect((await read.json("/blog/redirects?limit=1")).data[0]).toEqual({ from: "first", to: "third", postId: post.id });
    for (const { from, to } of (await read.json("/blog/redirects")).data) {
      expect((await read.json(`/blog/posts/${from}`)).data).toMatchObject({ slug: to, slugRedirectedFrom: from });
    }
  });

  test("what was unpublished redirects no more; a slug that another post took over leads there", async () => {
    const gone = await write.revise(await write.post("Gone", { slug: "gone-before" }), { slug: "gone-now" });
    const moved = await write.revise(await write.post("Moved", { slug: "wanted" }), { slug: "moved" });
    await write.unpublish(gone);
    expect(await pairs()).toEqual(["wanted > moved"]);
    const other = await write.draft("Other");
    await services.call(registry.edit_post, tenant.actor, {
      websiteId: tenant.website.id,
      postId: other.id,
      expectedVersion: other.version,
      slug: "wanted",
      takeSlugFrom: moved.id,
    });
    expect(await pairs()).toEqual([]);
  });

  test("cursors of other lists are refused", async () => {
    const { pagination } = await read.json("/blog/posts?limit=1").then(async () => {
      await write.post("A");
      await write.post("B");
      return read.json("/blog/posts?limit=1");
    });
    expect(await read.code(`/blog/redirects?cursor=${pagination.nextCursor}`)).toBe("INVALID_CURSOR");
    expect(await read.code("/blog/redirects?cursor=x")).toBe("INVALID_CURSOR");
    expect(await read.code("/blog/redirects?limit=101")).toBe("INVALID_LIMIT");
  });

  test("the website tells its title, language, public address and fields, but no help text; posts tell their address", async () => {
    const definition = { key: "mood", label: "Mood", type: "select", required: false, help: "HELP", options: ["calm", "wild"] };
    const { version } = await services.call(registry.get_website, tenant.actor, { websiteId: tenant.website.id });
    await services.call(registry.set_field_definitions, tenant.actor, {
      websiteId: tenant.website.id,
      expectedVersion: version,
      fieldDefinitions: [definition],
    });
    await write.post("Hello");
    expect((await read.json("/blog/posts/hello")).data.url).toBeNull();
    await write.settings({ title: "", description: "About", language: "pt-BR", publicUrl: "https://example.com/blog/" });
    const { help: _, ...shown } = definition;
    expect((await read.json("/blog/website")).data).toEqual({
      id: tenant.website.id,
      title: tenant.website.name,
      description: "About",
      language: "pt-BR",
      url: "https://example.com/blog",
      fields: [shown],
    });
    expect((await read.json("/blog/posts")).data[0].url).toBe("https://example.com/blog/hello");
  });
});
