import { SaxesParser } from "saxes";
import { beforeEach, describe, expect, test } from "vitest";
import { Failure } from "#domain/failure";
import { sitemapRoute } from "./sitemap.ts";
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
  await write.settings({
    publicUrl: "https://example.com/blog",
    title: "My <Blog> & more",
    description: "About\nthings",
    language: "pt-br",
  });
});

/** The texts of a document by the path of their element, as a strict parser reads them: it throws when it is no XML. */
function parse(xml: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const path: string[] = [];
  const texts: string[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name }) => {
    path.push(name);
    texts.push("");
  });
  parser.on("text", (text) => void (texts[texts.length - 1] += text));
  parser.on("closetag", () => {
    const key = path.join("/");
    found.set(key, [...(found.get(key) ?? []), texts.pop()!]);
    path.pop();
  });
  parser.write(xml).close();
  return found;
}

const ADDRESSES = ["/blog/feed.xml", "/blog/feed.json", "/blog/sitemap.xml", "/blog/llms.txt"];

test.each(ADDRESSES)("%s without a public address of the website names the setting to fill in", async (address) => {
  await write.settings({ publicUrl: null });
  const refusal = await read.read(address).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(Failure);
  expect(refusal).toMatchObject({ code: "VALIDATION_FAILED", errors: [{ field: "settings.publicUrl" }] });
});

describe("RSS", () => {
  test("has the website, and the newest posts whole", async () => {
    const [author, category, tag] = [
      await write.term("author", "Ada & Co"),
      await write.term("category", "News"),
      await write.term("tag", "T"),
    ];
    const terms = { authorIds: [author.id], categoryIds: [category.id], tagIds: [tag.id] };
    const image = await write.image("x.png");
    const body = `Some *text* <b>&amp;</b>\n\n![](${image.url})`;
    await write.post("Older", { publishedAt: "2026-01-02T03:04:05.678Z", excerpt: "In <short>", body, ...terms });
    const newer = await write.post("Newer");
    const answer = await read.read("/blog/feed.xml");
    expect(answer).toMatchObject({ kind: "text", contentType: "application/rss+xml; charset=utf-8" });
    const feed = parse(await read.text("/blog/feed.xml"));
    expect(feed.get("rss/channel/title")).toEqual(["My <Blog> & more"]);
    expect(feed.get("rss/channel/link")).toEqual(["https://example.com/blog"]);
    expect(feed.get("rss/channel/description")).toEqual(["About\nthings"]);
    expect(feed.get("rss/channel/language")).toEqual(["pt-BR"]);
    expect(feed.get("rss/channel/item/title")).toEqual(["Newer", "Older"]);
    expect(feed.get("rss/channel/item/link")).toEqual(["https://example.com/blog/newer", "https://example.com/blog/older"]);
    expect(feed.get("rss/channel/item/guid")?.[0]).toBe(newer.id);
    expect(feed.get("rss/channel/item/pubDate")?.[1]).toBe("Fri, 02 Jan 2026 03:04:05 GMT");
    expect(feed.get("rss/channel/item/dc:creator")).toEqual(["Ada & Co"]);
    expect(feed.get("rss/channel/item/category")).toEqual(["News", "T"]);
    expect(feed.get("rss/channel/item/description")?.[1]).toBe("In <short>");
    const html = feed.get("rss/channel/item/content:encoded")?.[1];
    expect(html).toBe((await read.json("/blog/posts/older")).data.body.html);
    expect(html).toContain(`src="https://stet.test${image.url}"`);
  });

  test("can be cut to size, and be that of one category, tag or author", async () => {
    const tag = await write.term("tag", "T");
    for (const title of ["A", "B", "C"]) await write.post(title, { tagIds: title === "B" ? [tag.id] : [] });
    const titles = async (query: string) => parse(await read.text(`/blog/feed.xml?${query}`)).get("rss/channel/item/title") ?? [];
    expect(await titles("limit=2")).toHaveLength(2);
    expect(await titles("tag=t")).toEqual(["B"]);
    expect(await titles("tag=nothing")).toEqual([]);
    expect(await read.code("/blog/feed.xml?limit=0")).toBe("INVALID_LIMIT");
  });

  test("gives whole posts while there is room, then excerpts", async () => {
    const body = `${"word ".repeat(200_000)}`;
    for (const title of ["A", "B", "C"]) await write.post(title, { body, excerpt: `About ${title}` });
    const feed = parse(await read.text("/blog/feed.xml"));
    expect(feed.get("rss/channel/item/description")).toHaveLength(3);
    expect(feed.get("rss/channel/item/content:encoded")).toHaveLength(2);
    const { items } = JSON.parse(await read.text("/blog/feed.json"));
    expect(items.map((item: object) => "content_html" in item)).toEqual([true, true, false]);
    expect(items[2].content_text).toBe("About A");
  });
});

test("any title, excerpt and body make valid XML: what XML cannot hold is dropped, the rest comes back as written", async () => {
  const nasty = [
    "a\u0001b\u000b\u001f\u007f\u0085c",
    "]]> <![CDATA[ <!-- --> &amp; &#0; <?xml?>",
    "\ufffe\uffff\u{1fffe} 😀 \ufdd0",
    "tab\there \u2028 \u2029 \u200b",
    `"quotes' & <tags attribute="1">`,
    "\u202e turned",
  ];
  await write.settings({ title: "T <&> ]]>", description: "D\u0009 & \n\n <x>" });
  for (const text of nasty) await write.post(text, { excerpt: text, body: `${text}\n\n    ${text}\n` });
  const feed = parse(await read.text("/blog/feed.xml"));
  // oxlint-disable-next-line no-control-regex -- they are what is dropped
  const kept = (text: string) => text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "");
  expect(feed.get("rss/channel/item/title")).toEqual(nasty.toReversed().map(kept));
  expect(feed.get("rss/channel/item/description")).toEqual(nasty.toReversed().map(kept));
  expect(parse(await read.text("/blog/sitemap.xml")).get("urlset/url/loc")).toHaveLength(nasty.length);
  JSON.parse(await read.text("/blog/feed.json"));
});

test("JSON Feed 1.1 has the same posts", async () => {
  const image = await write.image("x.png");
  const author = await write.term("author", "Ada", { profile: { url: "https://ada.example", avatarMediaId: image.id } });
  const post = await write.post("Title", { body: "Text", excerpt: "Short", coverMediaId: image.id, authorIds: [author.id] });
  const answer = await read.read("/blog/feed.json");
  expect(answer).toMatchObject({ contentType: "application/feed+json; charset=utf-8" });
  expect(JSON.parse(await read.text("/blog/feed.json"))).toEqual({
    version: "https://jsonfeed.org/version/1.1",
    title: "My <Blog> & more",
    home_page_url: "https://example.com/blog",
    description: "About\nthings",
    language: "pt-BR",
    items: [
      {
        id: post.id,
        url: "https://example.com/blog/title",
        title: "Title",
        content_html: "<p>Text</p>\n",
        summary: "Short",
        image: `https://stet.test${image.url}`,
        date_published: "2026-11-15T09:00:00.000Z",
        date_modified: "2026-11-15T09:00:00.000Z",
        authors: [{ name: "Ada", url: "https://ada.example", avatar: `https://stet.test${image.url}` }],
        tags: [],
      },
    ],
  });
});

describe("the sitemap", () => {
  test("has every published post with its last change, but none that asks not to be indexed", async () => {
    for (let n = 0; n < 5; n++) await write.post(`Post ${n}`);
    await write.post("Hidden", { seo: { noindex: true } });
    await write.draft("Draft");
    expect(await read.read("/blog/sitemap.xml")).toMatchObject({ contentType: "application/xml; charset=utf-8" });
    const map = parse(await read.text("/blog/sitemap.xml"));
    expect(map.get("urlset/url/loc")).toEqual([0, 1, 2, 3, 4].map((n) => `https://example.com/blog/post-${n}`));
    expect(map.get("urlset/url/lastmod")).toEqual(Array.from({ length: 5 }, () => "2026-11-15T09:00:00.000Z"));
    expect(await read.code("/blog/sitemap.xml?cursor=x")).toBe("INVALID_CURSOR");
  });

  test("of more posts than one file may hold is an index of files that together have each once", async () => {
    const small = readingOf(services, tenant, { readRoutes: [sitemapRoute(3)] });
    for (let n = 0; n < 8; n++) await write.post(`Post ${n}`);
    const files = parse(await small.text("/blog/sitemap.xml")).get("sitemapindex/sitemap/loc")!;
    expect(files).toHaveLength(3);
    const seen: string[] = [];
    for (const file of files) {
      expect(file.startsWith("https://example.com/blog/sitemap.xml?cursor=")).toBe(true);
      const urls = parse(await small.text(`/blog/sitemap.xml${new URL(file).search}`)).get("urlset/url/loc")!;
      expect(urls.length).toBeLessThanOrEqual(3);
      seen.push(...urls);
    }
    expect(seen).toEqual(Array.from({ length: 8 }, (_, n) => `https://example.com/blog/post-${n}`));
  });
});

test("llms.txt names the website and its newest posts on lines of their own", async () => {
  await write.post("Older", { excerpt: "In\nshort", publishedAt: "2026-01-01T00:00:00.000Z" });
  await write.post("A [link](x) \\ in a title");
  await write.post("Hidden", { seo: { noindex: true } });
  expect(await read.text("/blog/llms.txt")).toBe(
    "# My <Blog> & more\n\n> About things\n\n## Posts\n\n" +
      "- [A \\[link\\](x) \\\\ in a title](https://example.com/blog/a-link-x-in-a-title)\n" +
      "- [Older](https://example.com/blog/older): In short\n",
  );
});
