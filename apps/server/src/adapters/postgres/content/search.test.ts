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

test("letters outside ASCII have a lower case too", async () => {
  await publish("ПРИВЕТ, мир");
  expect(await find("привет", "und")).toEqual(["ПРИВЕТ, мир"]);
});
