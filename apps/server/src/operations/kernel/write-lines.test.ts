import { expect, test } from "vitest";
import { MANAGED } from "#domain/content-home";
import { buildPost } from "#test/builders";
import { closedAtEnd } from "#test/closed-at-end";
import { createContentStores } from "#test/one-store";
import { openTestServices, type Tenant } from "#test/services";
import { withoutWholeSave } from "#test/without-whole-save";
import { registry } from "../registry.ts";
import { execute } from "./execute.ts";

const services = closedAtEnd(await openTestServices());
const { managed } = services.contents;
const WEBSITES = 4;
const SAVES = 16;

test.each([
  ["small", "Text.", WEBSITES * SAVES],
  ["large", "Text. ".repeat(50_000), 4],
])("saves of %s posts that a customer's database does not answer keep nobody else's waiting", async (_, body, atWork) => {
  const silence = Promise.withResolvers<never>();
  let saving = 0;
  const save = () => {
    saving += 1;
    return silence.promise;
  };
  const own = ({ website }: Tenant) => {
    const { posts, ...store } = withoutWholeSave(managed);
    return { ...store, posts: { ...posts, get: async () => buildPost(1, { websiteId: website.id, version: 1 }), save } };
  };
  const slow = new Map(
    (await Promise.all(Array.from({ length: WEBSITES }, () => services.makeTenant()))).map((one) => [one.website.id, one]),
  );
  const there = { ...services, contents: createContentStores(managed, (website, work) => work(own(slow.get(website.id)!))) };
  const saves: Promise<unknown>[] = [];
  for (const { website, actor } of slow.values()) {
    await services.platform.homes.pause(website.id, 10);
    expect(await services.platform.homes.move({ id: website.id, home: MANAGED }, "own")).toBe(true);
    const input = { websiteId: website.id, postId: buildPost(1).id, expectedVersion: 1, body };
    for (let n = 0; n < SAVES; n++) saves.push(execute(there, registry.edit_post, actor, input).catch((error: unknown) => error));
  }
  await expect.poll(() => saving).toBe(atWork);

  const { actor, website } = await services.makeTenant();
  const post = await execute(there, registry.create_post, actor, { websiteId: website.id, title: "Ours", body });
  const input = { websiteId: website.id, postId: post.id, expectedVersion: 1, title: "Saved" };
  expect((await execute(there, registry.edit_post, actor, input)).working.title).toBe("Saved");
  silence.reject(new Error("The test is over."));
  await Promise.all(saves);
});
