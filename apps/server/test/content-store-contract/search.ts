import { expect } from "vitest";
import type { WebsiteId } from "#domain/ids";
import type { PostContent } from "#domain/post";
import type { ContentStore } from "#ports/content-store";
import type { After } from "#ports/list-page";
import { buildContent, buildLive, buildPost, buildPublishedPost, buildRendering, edited } from "../builders.ts";
import type { Suite } from "./suite.ts";

/** Publishes posts with these texts, numbered from 1. */
async function publish(store: ContentStore, websiteId: WebsiteId, ...contents: readonly Partial<PostContent>[]): Promise<void> {
  for (const [index, content] of contents.entries()) {
    const n = index + 1;
    const working = buildContent(n, { title: `Title ${n}`, excerpt: "", body: "", ...content });
    const rendering = buildRendering(working, { text: working.body });
    await store.posts.insert(buildPublishedPost(n, { websiteId, working }, { content: working, rendering }), { visible: true });
  }
}

const find = async (store: ContentStore, websiteId: WebsiteId, text: string, language = "und") =>
  (await store.search.search(websiteId, { text, language, after: null, limit: 50 })).rows;
const titles = async (store: ContentStore, websiteId: WebsiteId, text: string, language = "und") =>
  (await find(store, websiteId, text, language)).map((hit) => hit.post.content.title);

export function search({ test }: Suite): void {
  test("a word is found in title, excerpt and body, in that order", async ({ store, website }) => {
    await publish(
      store,
      website,
      { title: "In the body", body: `Much text about other things. ${"filler ".repeat(50)} harbour` },
      { title: "In the excerpt", excerpt: "A harbour at night" },
      { title: "The harbour" },
      { title: "Unrelated" },
    );
    expect(await titles(store, website, "harbour")).toEqual(["The harbour", "In the excerpt", "In the body"]);
  });

  test("every word asked for must occur", async ({ store, website }) => {
    await publish(store, website, { title: "Red harbour" }, { title: "Red mountain" });
    expect(await titles(store, website, "harbour red")).toEqual(["Red harbour"]);
  });

  test("search is blind to accents and case, in both directions", async ({ store, website }) => {
    await publish(store, website, { title: "Les Cafés d'Été" }, { title: "Plain cafes" });
    expect((await titles(store, website, "CAFES")).toSorted()).toEqual(["Les Cafés d'Été", "Plain cafes"]);
    expect((await titles(store, website, "cafés")).toSorted()).toEqual(["Les Cafés d'Été", "Plain cafes"]);
  });

  test("only the live copy of published posts is found, of this website only", async ({ store, website, otherWebsite }) => {
    await publish(store, website, { title: "Visible lantern" });
    await publish(store, otherWebsite, { title: "Foreign lantern" });
    const draft = buildPost(8, { websiteId: website, working: buildContent(8, { title: "Draft lantern" }) });
    await store.posts.insert(draft, { visible: false });
    const gone = buildPublishedPost(9, { websiteId: website, working: buildContent(9, { title: "Gone lantern" }) });
    await store.posts.insert(gone, { visible: true });
    await store.posts.save(edited(gone, { status: "unpublished" }), { visible: true });
    expect(await titles(store, website, "lantern")).toEqual(["Visible lantern"]);
  });

  test("an update of the live copy is found by its new words and no longer by its old ones", async ({ store, website }) => {
    const post = buildPublishedPost(1, { websiteId: website, working: buildContent(1, { title: "Old meadow" }) });
    await store.posts.insert(post, { visible: true });
    const working = buildContent(1, { title: "New glacier" });
    const live = buildLive(working, { updatedAt: "2027-01-01T00:00:00.000Z" as never });
    await store.posts.save(edited(post, { working, live }), { visible: true });
    expect(await titles(store, website, "meadow")).toEqual([]);
    expect(await titles(store, website, "glacier")).toEqual(["New glacier"]);
  });

  test("highlights mark what was found and are safe to put into a page", async ({ store, website }) => {
    await publish(store, website, { title: "A <b>harbour</b> & more", excerpt: `<img src=x onerror=alert(1)> harbour "quoted"` });
    const [hit] = await find(store, website, "harbour");
    expect(hit?.titleHighlight).toContain("<mark>harbour</mark>");
    for (const html of [hit!.titleHighlight, hit!.excerptHighlight]) {
      expect(html.replaceAll(/<\/?mark>/g, "")).not.toMatch(/[<>]/);
    }
    expect(hit?.excerptHighlight).toContain("<mark>harbour</mark>");
  });

  test("pages of results give each hit once", async ({ store, website }) => {
    await publish(store, website, ...Array.from({ length: 13 }, (_, i) => ({ title: `Harbour ${i % 3}`, body: "harbour ".repeat(i % 4) })));
    const seen: string[] = [];
    let after: After | null = null;
    do {
      const page: Awaited<ReturnType<ContentStore["search"]["search"]>> = await store.search.search(website, {
        text: "harbour",
        language: "en",
        after,
        limit: 4,
      });
      seen.push(...page.rows.map((hit) => hit.post.id));
      after = page.next;
    } while (after);
    expect(seen).toHaveLength(13);
    expect(new Set(seen).size).toBe(13);
  });

  test("whatever is typed, search answers", async ({ store, website }) => {
    await publish(store, website, { title: "Harbour" });
    for (const text of [
      "",
      " ",
      "'",
      '"',
      '"harbour',
      "-harbour",
      "or",
      "harbour or",
      "a & b | !c",
      ":*",
      "(((",
      "\\",
      "%_",
      "$where",
      ".*",
      "harbour:*",
      "\u0000",
      "🙂",
      "x".repeat(300),
    ]) {
      await expect(find(store, website, text)).resolves.toBeInstanceOf(Array);
    }
  });

  test("a word typed half is found by its beginning", async ({ store, website }) => {
    await publish(store, website, { title: "Photography at night" }, { title: "Night photographs" });
    expect((await titles(store, website, "night photogr")).toSorted()).toEqual(["Night photographs", "Photography at night"]);
    expect(await titles(store, website, "photography")).toContain("Photography at night");
  });

  test("a small typing error is forgiven when nothing else is found", async ({ store, website }) => {
    await publish(store, website, { title: "Learning javascript slowly" }, { title: "Gardening" });
    expect(await titles(store, website, "javscript")).toEqual(["Learning javascript slowly"]);
    expect(await titles(store, website, "quantum")).toEqual([]);
  });

  test("quotes ask for a phrase and a minus leaves out", async ({ store, website }) => {
    await publish(store, website, { title: "Blue harbour lights" }, { title: "Harbour of blue boats" });
    expect(await titles(store, website, '"blue harbour"')).toEqual(["Blue harbour lights"]);
    expect(await titles(store, website, "harbour -boats")).toEqual(["Blue harbour lights"]);
  });

  test("a post of 1 MiB of different words is indexed all the same", async ({ store, website }) => {
    const body = Array.from({ length: 120_000 }, (_, i) => `w${i.toString(36)}x`).join(" ");
    await publish(store, website, { title: "Enormous lighthouse", body });
    expect(await titles(store, website, "lighthouse")).toEqual(["Enormous lighthouse"]);
  });
}
