import { afterEach, expect, test } from "vitest";
import { newId } from "#domain/ids";
import { HOUR, MINUTE, timestamp } from "#domain/time";
import type { View } from "#ports/reader-numbers";
import { createViewBuffer, type ViewBuffer } from "./view-buffer.ts";

let now = Date.UTC(2026, 10, 15, 12);
const where = { websiteId: newId("website"), postId: newId("post") };
const view = (visitor: string): View => ({ ...where, at: timestamp(now), referrer: null, visitors: [visitor] });

let buffer: ViewBuffer;
afterEach(() => buffer.close());

/** A buffer over something that takes batches, or does not. */
function open(everyMillis = HOUR) {
  const batches: (readonly View[])[] = [];
  const state = { down: false, troubles: 0 };
  buffer = createViewBuffer({
    readers: {
      async add(views) {
        if (state.down) throw new Error("down");
        batches.push(views);
        return views.length;
      },
    },
    clock: () => new Date(now),
    onTrouble: () => (state.troubles += 1),
    everyMillis,
  });
  return { batches, state, visitors: () => batches.flat().map(({ visitors }) => visitors[0]) };
}

test("views are written together, again and again, without anyone asking", async () => {
  const { batches, visitors } = open(20);
  buffer.add(view("a"));
  buffer.add(view("b"));
  await expect.poll(visitors).toEqual(["a", "b"]);
  expect(batches).toHaveLength(1);
  buffer.add(view("c"));
  await expect.poll(visitors).toEqual(["a", "b", "c"]);
});

test("a visit that comes twice before it is written is written once, and again after half an hour", async () => {
  const { visitors } = open();
  buffer.add(view("a"));
  now += 29 * MINUTE;
  buffer.add(view("a"));
  now += MINUTE;
  buffer.add(view("a"));
  await buffer.flush();
  expect(visitors()).toEqual(["a", "a"]);
});

test("what could not be written is kept in order and said once; after an hour it is given up", async () => {
  const { state, visitors } = open();
  state.down = true;
  buffer.add(view("old"));
  await buffer.flush();
  now += 50 * MINUTE;
  buffer.add(view("new"));
  await buffer.flush();
  now += 11 * MINUTE;
  await buffer.flush();
  expect(state.troubles).toBe(1);
  state.down = false;
  await buffer.flush();
  expect(visitors()).toEqual(["new"]);
});

test("more than one batch is written at once, and nothing is lost when it is closed", async () => {
  const { batches } = open();
  for (let i = 0; i < 12_345; i++) buffer.add(view(`visitor ${i}`));
  await buffer.close();
  expect(batches.map((batch) => batch.length)).toEqual([5_000, 5_000, 2_345]);
});
