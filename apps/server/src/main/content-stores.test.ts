import { expect, test } from "vitest";
import { createSlots } from "#adapters/own-databases/slots";
import type { HomedWebsite } from "#domain/content-home";
import { closedAtEnd } from "#test/closed-at-end";
import { testId } from "#test/builders";
import { openTestServices } from "#test/services";
import { createContentStores } from "./content-stores.ts";

const { contents } = closedAtEnd(await openTestServices());
const { managed } = contents;
const AT_ONCE = 10;
const website = (n: number, epoch = 1): HomedWebsite => ({ id: testId("website", n), home: { kind: "own", epoch } });
const ask = (content: typeof managed) => content.posts.listPending(1);

/** Customers' databases with so many places in all, and nobody waits long for one. */
function stores() {
  const slots = createSlots({ most: AT_ONCE, line: 50, patienceMillis: 500 });
  const counts = { lent: 0, now: 0 };
  const opened = createContentStores(managed, async (_, work) => {
    const release = await slots.take();
    if (!release) throw new Error("No place is free.");
    counts.lent += 1;
    counts.now += 1;
    try {
      return await work(managed);
    } finally {
      counts.now -= 1;
      release();
    }
  });
  return { ...opened, counts };
}

test("work that asks for the same database once more inside uses the place that it has", async () => {
  const { withContent, counts } = stores();
  const everyone = Promise.withResolvers<void>();
  let inside = 0;
  const work = () =>
    withContent(website(1), async (content) => {
      await ask(content);
      if (++inside === AT_ONCE) everyone.resolve();
      await everyone.promise;
      return withContent(website(1), (nested) => withContent(website(1), () => ask(nested)));
    });
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(counts).toEqual({ lent: AT_ONCE, now: 0 });
});

test("another website, and the same one after it moved, have places of their own", async () => {
  const { withContent, counts } = stores();
  await withContent(website(1), async (content) => {
    await ask(content);
    await withContent(website(2), ask);
    await withContent(website(1, 2), ask);
    expect(counts).toEqual({ lent: 3, now: 1 });
  });
});

test("the place is given back with the last work inside, and is no longer used by what begins then", async () => {
  const { withContent, counts } = stores();
  const [going, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let later: Promise<unknown> | undefined;
  let muchLater: Promise<unknown> | undefined;
  await withContent(website(1), async (content) => {
    await ask(content);
    later = withContent(website(1), async (nested) => {
      await going.promise;
      return ask(nested);
    });
    muchLater = over.promise.then(() => withContent(website(1), ask));
  });
  expect(counts).toEqual({ lent: 1, now: 1 });
  going.resolve();
  await later;
  expect(counts).toEqual({ lent: 1, now: 0 });
  over.resolve();
  await muchLater;
  expect(counts).toEqual({ lent: 2, now: 0 });
});

test("whoever lends it hears of what failed, also of what failed inside and was taken care of there", async () => {
  const heard: unknown[] = [];
  const { withContent } = createContentStores(managed, async (_, work) => {
    try {
      return await work(managed);
    } catch (error) {
      heard.push(error);
      throw error;
    }
  });
  const failing = (of: string) => async (content: typeof managed) => {
    await ask(content);
    throw new Error(of);
  };
  await withContent(website(1), async (content) => {
    await ask(content);
    await withContent(website(1), failing("inside")).catch(() => {});
  });
  expect(heard.splice(0)).toEqual([new Error("inside")]);
  await expect(withContent(website(1), failing("all of it"))).rejects.toThrow("all of it");
  expect(heard).toEqual([new Error("all of it")]);
});
