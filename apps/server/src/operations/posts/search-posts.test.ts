import { expect, test } from "vitest";
import { closedAtEnd } from "#test/closed-at-end";
import { oneStore } from "#test/one-store";
import { openTestServices } from "#test/services";
import { registry } from "../registry.ts";
import { execute } from "../kernel/execute.ts";

const services = closedAtEnd(await openTestServices());

test("a search in the Markdown holds one whole post at a time", async () => {
  const { website, actor } = await services.makeTenant({ plan: "team" });
  for (let n = 0; n < 12; n++)
    await execute(services, registry.create_post, actor, { websiteId: website.id, title: `${n}`, body: `needle ${n}` });
  const { managed } = services.contents;
  let reading = 0;
  let most = 0;
  const get: typeof managed.posts.get = async (...of) => {
    most = Math.max(most, ++reading);
    try {
      return await managed.posts.get(...of);
    } finally {
      reading -= 1;
    }
  };
  const there = { ...services, contents: oneStore({ ...managed, posts: { ...managed.posts, get } }) };
  const found = await execute(there, registry.search_posts, actor, { websiteId: website.id, text: "needle", in: "markdown", limit: 20 });
  expect(found.items).toHaveLength(12);
  expect(most).toBe(1);
});
