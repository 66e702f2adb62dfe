import { expect, test } from "vitest";
import { allDocuments, eachDocument } from "./read-documents.ts";

/** Documents that are there already, and take long to decode. */
async function* slow(count: number): AsyncGenerator<number, void, undefined> {
  for (let n = 0; n < count; n++) {
    const until = performance.now() + 5;
    while (performance.now() < until);
    yield n;
  }
}

test("others get their turn while a long list is decoded", async () => {
  let [turns, isOver] = [0, false];
  const take = () => {
    turns += 1;
    if (!isOver) setImmediate(take);
  };
  setImmediate(take);
  const seen: number[] = [];
  for await (const document of eachDocument(slow(10))) seen.push(document);
  isOver = true;
  expect(seen).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(turns).toBeGreaterThanOrEqual(9);
});

test("more documents than can be right are not looked at", async () => {
  expect(await allDocuments(slow(3))).toEqual([0, 1, 2]);
  expect(await allDocuments(slow(1_000_000), 2)).toEqual([0, 1]);
});
