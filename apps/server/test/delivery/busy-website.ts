import { registry } from "#operations/registry";
import type { Tenant, TestServices } from "#test/services";
import { writingIn } from "./writing.ts";

/** A website with a past: posts in every state, renamed, re-tagged and half edited, and one of every kind of reference. */
export async function fillBusyWebsite(services: TestServices, tenant: Tenant, posts: number): Promise<void> {
  const write = writingIn(services, tenant);
  await services.call(registry.set_field_definitions, tenant.actor, {
    websiteId: tenant.website.id,
    expectedVersion: tenant.website.version,
    fieldDefinitions: [
      { key: "rating", label: "Rating", type: "number" },
      { key: "data", label: "Data", type: "json" },
    ],
  });
  await write.settings({ publicUrl: "https://example.com", title: "Busy", description: "All of it" });
  const images = [];
  for (const name of ["one", "two", "three", "four"]) images.push(await write.image(`${name}.png`, { alt: `Image ${name}` }));
  const kinds = { category: ["News", "Élan", "Unused"], tag: ["a", "B", "ä", "Merged", "Deleted"], author: ["Zoë", "Bob"] } as const;
  const made: Record<string, Awaited<ReturnType<typeof write.term>>> = {};
  for (const [kind, names] of Object.entries(kinds) as [keyof typeof kinds, readonly string[]][]) {
    for (const name of names) {
      const profile = kind === "author" ? { profile: { avatarMediaId: images[0]!.id, url: "https://example.com/zoe" } } : {};
      made[name] = await write.term(kind, name, { description: `About ${name}`, ...profile });
    }
  }
  const id = (name: string) => made[name]!.id;
  for (let n = 0; n < posts; n++) {
    if (n % 3 === 0) services.pass(1_000);
    const image = images[n % 3]!;
    await write.post(["Same title", "sáme TITLE", `Number ${n}`, "😀 emoji", "\ufb01 ligature"][n % 5]!, {
      excerpt: `Excerpt ${n} with “quotes” & <tags>\u2028`,
      body: `## Heading ${n}\n\nText *${n}* with ![alt](${image.url}) and \`code\`.\n\n- [ ] task\n- 日本語\n`,
      coverMediaId: n % 2 ? image.id : null,
      coverAlt: n % 4 === 1 ? "Own alt" : null,
      categoryIds: n % 2 ? [id("Élan"), id("News")] : [],
      tagIds: [[id("a")], [id("Merged"), id("B")], [id("Deleted"), id("ä")], [id("Merged")]][n % 4],
      authorIds: n % 3 ? [id("Zoë")] : [id("Bob"), id("Zoë")],
      featured: n % 5 === 0,
      seo: n % 6 === 0 ? { title: "SEO", noindex: n % 12 === 0, canonicalUrl: "https://example.com/c" } : {},
      fields: { rating: n / 4, data: { z: [1, 2.5, -3e21, null, true], a: { "2": "two", "1": "one" }, text: "\u0001 ü" } },
      publishedAt: n % 7 === 0 ? "2020-02-29T12:34:56.789Z" : null,
    });
  }
  await write.merge(made["Merged"]!, made["B"]!);
  await write.deleteTerm(made["Deleted"]!);
  await write.editTerm(made["News"]!, { slug: "latest", name: "Latest" });
  let renamed = await write.post("Renamed once", { tagIds: [id("a")] });
  renamed = await write.revise(renamed, { slug: "renamed-twice", title: "Renamed" });
  await write.edit(renamed, { slug: "renamed-secretly", title: "SECRET title", body: "SECRET body", tagIds: [id("B")], featured: true });
  await write.draft("SECRET draft", { categoryIds: [id("Unused")], coverMediaId: images[3]!.id });
  await write.schedule(await write.draft("SECRET schedule", { excerpt: "SECRET" }), "2030-01-01T00:00:00.000Z");
  await write.trash(await write.draft("SECRET trash"));
  await write.unpublish(await write.post("SECRET, once public"));
}
