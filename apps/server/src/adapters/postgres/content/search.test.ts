import { beforeAll, expect, test } from "vitest";
import { operations as posts } from "#operations/posts/index";
import { updateWebsite } from "#operations/websites/update-website";
import { closedAtEnd } from "#test/closed-at-end";
import { openTestServices, type Tenant } from "#test/services";

const services = closedAtEnd(await openTestServices());
let tenant: Tenant;

beforeAll(async () => {
  tenant = await services.makeTenant();
});

async function publish(title: string, body = ""): Promise<void> {
  const websiteId = tenant.website.id;
  const post = await services.call(posts.create_post, tenant.actor, { websiteId, title, body });
  await services.call(posts.publish_post, tenant.actor, { websiteId, postId: post.id, expectedVersion: 1 });
}

async function find(text: string, language: string): Promise<string[]> {
  const { search } = services.contentOf(tenant.website);
  const page = await search.search(tenant.website.id, { text, language, after: null, limit: 10 });
  return page.rows.map((hit) => hit.post.content.title);
}

test("words are found by their stem in the website's language, and a new language is learned by the sweep", async () => {
  // In the body, where typing errors are not looked for.
  await publish("Am Hafen", "Die Häuser stehen am Wasser.");
  await publish("Running late");
  expect(await find("runs", "en")).toEqual(["Running late"]);
  expect(await find("Hauses", "de")).toEqual([]);
  const { website } = tenant;
  await services.call(updateWebsite, tenant.actor, {
    websiteId: website.id,
    expectedVersion: website.version,
    settings: { language: "de-CH" },
  });
  const { search } = services.contentOf(website);
  let indexed = 0;
  for (let done = await search.reindex(1); done > 0; done = await search.reindex(1)) indexed += done;
  expect(indexed).toBeGreaterThanOrEqual(2);
  expect(await find("Hauses", "de-CH")).toEqual(["Am Hafen"]);
});

test("a post that is taken offline while its website is indexed anew is found no more", async () => {
  tenant = await services.makeTenant();
  const { website, actor } = tenant;
  await publish("The first lantern");
  await publish("The second lantern");
  await services.call(updateWebsite, actor, { websiteId: website.id, expectedVersion: website.version, settings: { language: "de" } });
  const rows = async <Row extends Record<string, unknown>>(text: string) =>
    (await services.database.query<Row>({ text, values: [website.id] })).rows;
  const [first, second] = await rows<{ id: string; title: string }>("SELECT id, title FROM posts WHERE website_id = $1 ORDER BY id");
  const waitFor = (sessions: number) =>
    expect
      .poll(() => rows("SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND $1 <> ''"), {
        timeout: 20_000,
      })
      .toHaveLength(sessions);
  // Whoever indexes has read both posts, and waits for the first one's place in the index.
  const holder = await services.database.pool.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM post_search WHERE post_id = $1 FOR UPDATE", [first!.id]);
  const indexing = services.contentOf(website).search.reindex(10);
  await waitFor(1);
  const unpublishing = services.call(posts.unpublish_post, actor, { websiteId: website.id, postId: second!.id, expectedVersion: 2 });
  await Promise.race([unpublishing, waitFor(2)]);
  await holder.query("COMMIT");
  holder.release();
  await Promise.all([indexing, unpublishing]);
  expect(await rows("SELECT post_id AS id FROM post_search WHERE website_id = $1")).toEqual([{ id: first!.id }]);

  // As it may have been left by a version before.
  await rows(`INSERT INTO post_search SELECT website_id, '${second!.id}', document, head, haystack FROM post_search WHERE website_id = $1`);
  expect(await find("lantern", "de")).toEqual([first!.title]);
});

test("letters outside ASCII have a lower case too", async () => {
  await publish("ПРИВЕТ, мир");
  expect(await find("привет", "und")).toEqual(["ПРИВЕТ, мир"]);
});

test("the best are found without ranking all: the pages are those of a ranking of every match", async () => {
  const other = await services.makeTenant();
  const websiteId = other.website.id;
  const words = ["harbour", "tide", "rope", "lamp", "crew"];
  const some = (n: number, of: number) => words.filter((_, index) => Math.floor(n / 3 ** index) % of === 0).join(" ");
  // More than are looked into one by one.
  for (let n = 0; n < 120; n++) {
    const post = await services.call(posts.create_post, other.actor, {
      websiteId,
      title: `${n % 4 === 0 ? some(n, 5) : ""} ${n}`,
      excerpt: n % 5 === 0 ? some(n + 7, 4) : "",
      body: `${some(n, 2)} ${n === 3 ? "singular" : ""}`,
    });
    await services.call(posts.publish_post, other.actor, { websiteId, postId: post.id, expectedVersion: 1 });
  }
  const questions = [
    "harbour",
    "'lamp' | 'lamp':*",
    "tide & rope",
    "tide | lamp",
    "tide <-> rope",
    "crew & !lamp",
    "!tide",
    "singular",
    "nowhere",
    "",
  ];
  const rankingOf = async (text: string, values: unknown[]) =>
    (await services.database.query<{ post_id: string; rank: string }>({ text, values })).rows;
  for (const asked of questions) {
    const found: { post_id: string; rank: string }[] = [];
    let page: typeof found;
    do {
      const { rank, post_id } = found.at(-1) ?? { rank: "999999", post_id: "~" };
      page = await rankingOf("SELECT * FROM search_best($1, $2::tsquery, $3::numeric, $4, 7)", [websiteId, asked, rank, post_id]);
      found.push(...page);
    } while (page.length === 7);
    const all = "SELECT * FROM search_matches($1, $2::tsquery, '', '~') ORDER BY rank DESC, post_id DESC";
    expect(found.length > 0).toBe(!["nowhere", ""].includes(asked));
    expect([asked, found]).toEqual([asked, await rankingOf(all, [websiteId, asked])]);
  }
});
test("a snippet shows the words, wherever in a long text they stand", async () => {
  tenant = await services.makeTenant();
  const far = "Sand and stone. ".repeat(300);
  await publish("Far apart", `Lantern first. ${far}Then an anchor. ${far}A lantern anchor together, with crème brûlée at last.`);
  const { search } = services.contentOf(tenant.website);
  const snippetOf = async (text: string): Promise<string | undefined> => {
    const { rows } = await search.search(tenant.website.id, { text, language: "en", after: null, limit: 10 });
    return rows.find((hit) => hit.post.content.title === "Far apart")?.excerptHighlight;
  };
  expect(await snippetOf("anchor")).toMatch(/Then an <mark>anchor<\/mark>/);
  expect(await snippetOf("anchors")).toMatch(/Then an <mark>anchor<\/mark>/);
  expect(await snippetOf("lantern anchor")).toMatch(
    /<mark>lantern<\/mark>.*<mark>anchor<\/mark>|<mark>anchor<\/mark>.*<mark>lantern<\/mark>/is,
  );
  expect(await snippetOf('"lantern anchor"')).toMatch(/<mark>lantern<\/mark> <mark>anchor<\/mark>/);
  expect(await snippetOf("creme")).toMatch(/<mark>crème<\/mark>/);
});
