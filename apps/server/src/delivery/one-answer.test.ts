import { POST_SORTS } from "@stet/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openMongoContent } from "#adapters/mongodb/open";
import { encodeCursor } from "#domain/cursor";
import { sanitizeHtml } from "#domain/markdown/sanitize-html";
import type { ContentStore } from "#ports/content-store";
import { closedAtEnd } from "#test/closed-at-end";
import { fillBusyWebsite } from "#test/delivery/busy-website";
import { copyContent } from "#test/delivery/copy-content";
import { type Reading, readingOf } from "#test/delivery/reading";
import { ferretdb, givenMongo, type MongoServer, mongoJavaServer, testDatabaseName } from "#test/mongodb";
import { withPart } from "#test/parts";
import { openTestServices, type Tenant } from "#test/services";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;
let read: Reading;
let ours: Map<string, string>;

beforeAll(async () => {
  tenant = await services.makeTenant();
  await fillBusyWebsite(services, tenant, 18);
  read = readingOf(services, tenant);
  ours = await everyAnswer(read);
});

/** Every address a key can read of this website: each list in every order and page, each thing it names, each text. */
async function everyAnswer(reading: Reading): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  const take = async (address: string, markdown = false) => {
    answers.set(markdown ? `${address} as Markdown` : address, await reading.text(address, { markdown }));
  };
  const walk = async (address: string): Promise<Record<string, string>[]> => {
    const items: Record<string, string>[] = [];
    let next: string | null = address;
    while (next !== null) {
      await take(next);
      const { data, pagination } = JSON.parse(answers.get(next)!);
      items.push(...data);
      next = pagination.nextCursor && `${address}&cursor=${pagination.nextCursor}`;
    }
    return items;
  };
  for (const sort of POST_SORTS) await walk(`/blog/posts?limit=5&sort=${sort}`);
  const posts = await walk("/blog/posts?limit=100");
  for (const { id, slug } of posts) {
    for (const name of [id, slug]) await take(`/blog/posts/${name}`);
    for (const format of ["html", "markdown"]) await take(`/blog/posts/${id}?format=${format}`);
    await take(`/blog/posts/${slug}`, true);
  }
  await take("/blog/posts/renamed-once");
  for (const featured of [true, false]) await walk(`/blog/posts?limit=4&sort=title&featured=${featured}`);
  for (const [kind, plural] of [
    ["category", "categories"],
    ["tag", "tags"],
    ["author", "authors"],
  ]) {
    for (const { id, slug } of await walk(`/blog/${plural}?limit=1`)) {
      for (const name of [id, slug]) {
        await take(`/blog/${plural}/${name}`);
        await walk(`/blog/posts?limit=4&sort=-title&${kind}=${name}`);
      }
    }
  }
  for (const name of ["tags/merged", "categories/news"]) await take(`/blog/${name}`);
  await walk("/blog/posts?limit=3&tag=merged&category=news&author=zoe");
  for (const { id } of await walk("/blog/media?limit=2")) await take(`/blog/media/${id}`);
  for (const text of ["feed.xml?limit=100", "feed.json?limit=100", "sitemap.xml", "llms.txt"]) await take(`/blog/${text}`);
  await walk("/blog/redirects?limit=1");
  await take("/blog/website");
  const start = encodeCursor("changes", { key: "0.0", id: tenant.website.id });
  await take(`/blog/changes?limit=100&since=${start}`);
  return answers;
}

test("no word of a draft, a schedule, the trash or an edit that is not live occurs in any answer", () => {
  expect(ours.size).toBeGreaterThan(150);
  // One post was public once: its slug stands in what changed, and nowhere else.
  const oncePublic = [...ours].filter(([, text]) => text.includes("secret-once-public"));
  expect(oncePublic.map(([address]) => address.split("?")[0])).toEqual(["/blog/changes"]);
  for (const [address, text] of ours) {
    expect([address, /SECRET|secretly|secret-(?!once-public)/.exec(text)]).toEqual([address, null]);
  }
});

function answersAlike(server: MongoServer): void {
  let content: ContentStore;
  let stop: () => Promise<void>;
  beforeAll(async () => {
    const started = await server.start();
    stop = started.stop;
    content = await openMongoContent({ url: started.url, database: testDatabaseName(), onVisibleChange: async () => {}, sanitizeHtml });
    await copyContent(services.contentOf(tenant.website), content, tenant.website.id);
  });
  afterAll(async () => {
    await content.close();
    await stop();
  });

  test("content in MongoDB gives byte-identical answers at every content address", { timeout: 120_000 }, async () => {
    const theirs = await everyAnswer(readingOf(services, tenant, { content }));
    for (const [address, text] of ours) expect([address, theirs.get(address)]).toEqual([address, text]);
    expect([...theirs.keys()]).toEqual([...ours.keys()]);
  });
}

withPart("FerretDB 1.24", ferretdb.find(), (server) => answersAlike(server));
withPart("mongo-java-server 1.47", mongoJavaServer.find(), (server) => answersAlike(server));
const given = givenMongo();
if (given) withPart("MongoDB", given, (server) => answersAlike(server));
