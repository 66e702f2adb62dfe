import { expect, test } from "vitest";
import { MANAGED } from "#domain/content-home";
import { buildPost } from "#test/builders";
import { closedAtEnd } from "#test/closed-at-end";
import { createContentStores } from "#test/one-store";
import { openTestServices } from "#test/services";
import { withoutWholeSave } from "#test/without-whole-save";
import { registry } from "../registry.ts";
import { execute } from "./execute.ts";

const services = closedAtEnd(await openTestServices());
const { managed } = services.contents;
const PEOPLE = 3;
const BODIES = 4;

test("large bodies whose posts go to a customer's database that does not answer keep nobody else's waiting", async () => {
  const { bodies } = services.lines;
  const silence = Promise.withResolvers<never>();
  silence.promise.catch(() => {});
  let saving = 0;
  const save = () => {
    saving += 1;
    return silence.promise;
  };
  const { posts, ...store } = withoutWholeSave(managed);
  const get: typeof posts.get = async (websiteId) => buildPost(1, { websiteId, version: 1 });
  const own = { ...store, posts: { ...posts, get, save } };
  const there = { ...services, contents: createContentStores(managed, (_, work) => work(own)) };
  const saves: Promise<unknown>[] = [];
  const people: string[] = [];
  for (let n = 0; n < PEOPLE; n++) {
    const { website, actor, owner } = await services.makeTenant();
    await services.platform.homes.pause(website.id, 10);
    expect(await services.platform.homes.move({ id: website.id, home: MANAGED }, "own")).toBe(true);
    people.push(owner.id);
    const input = { websiteId: website.id, postId: buildPost(1).id, expectedVersion: 1, title: "Saved" };
    for (let place = 0; place < BODIES; place++) {
      const leave = await bodies(owner.id);
      saves.push(
        execute(there, registry.edit_post, actor, input)
          .catch((error: unknown) => error)
          .finally(leave),
      );
    }
  }
  await expect.poll(() => saving).toBe(PEOPLE * BODIES);

  const others = ["a", "b", "c"].flatMap((who) => Array.from({ length: BODIES }, () => bodies(who)));
  for (const leave of await Promise.all(others)) leave();
  // They wait for their own: what is not read yet takes no memory.
  const gone = new AbortController();
  const waiting = bodies(people[0]!, gone.signal);
  const outcome = waiting.then(
    () => "read",
    () => "waited",
  );
  await bodies("d");
  gone.abort();
  expect(await outcome).toBe("waited");

  silence.reject(new Error("The test is over."));
  await Promise.all(saves);
  for (const leave of await Promise.all(Array.from({ length: BODIES }, () => bodies(people[0]!)))) leave();
});
