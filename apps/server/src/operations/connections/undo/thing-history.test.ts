import { expect, test } from "vitest";
import { cancelled } from "./thing-history.ts";

const everybody = () => true;
const voidIn = (states: string, isTools = everybody as (version: number) => boolean) => {
  const isVoid = cancelled(new Map([...states].map((state, index) => [index + 1, state])), isTools);
  return [...states].map((_, index) => index + 1).filter(isVoid);
};

test.each([
  ["AB", []],
  ["AA", [2]],
  ["ABA", [2, 3]],
  ["ABCB", [3, 4]],
  ["ABCBA", [2, 3, 4, 5]],
  // Two loops that overlap: only the one that closes first is none, and what comes after it counts.
  ["ABBABB", [2, 3, 4, 6]],
  ["ABAC", [2, 3]],
])("in %s the versions %j are as if they had not been", (states, versions) => {
  expect(voidIn(states)).toEqual(versions);
});

test("a loop that a person had a hand in is none", () => {
  expect(voidIn("ABA", (version) => version !== 2)).toEqual([]);
  expect(voidIn("ABACA", (version) => version !== 2)).toEqual([4, 5]);
});
