import { expect, test } from "vitest";
import type { GrantId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import { cancelled, readThingHistory } from "./thing-history.ts";

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

test("a record that says any version, as an import or a customer's database can, is read without counting to it", () => {
  const at = "2026-11-15T09:00:00.000Z" as Timestamp;
  const connectionId = "grant_01h455vb4pex5vsknk084sn02q" as GrantId;
  const by = { type: "tool", id: connectionId, userId: null } as const;
  const change = (version: number, before: object, after: object) => ({
    id: "",
    at,
    by,
    version,
    before,
    after,
    aliases: [],
    undoes: null,
  });
  const changes = [change(1, { name: "A", version: 1 }, { name: "B", version: 2 }), change(2, { name: "B", version: 2 }, { name: "C" })];
  // No list is as long.
  const current = { name: "A", version: 2 ** 32 + 5 };
  const history = readThingHistory(changes as never, current, { connectionId, since: at, until: at });
  expect(history).toMatchObject({ changedByOthers: true, first: { version: 1 } });
});
