import { expect, test } from "vitest";
import { wordDiff } from "./word-diff.ts";

const BEFORE = "# Title\n\nThe quick brown fox.\n\nSame line.\n";
const AFTER = "# Title\n\nThe slow brown fox.\n\nSame line.\n\nOne more.\n";

test("only the words that differ are marked", () => {
  const changed = wordDiff(BEFORE, AFTER).filter(({ type }) => type !== "same");
  expect(changed).toEqual([
    { type: "removed", text: "quick" },
    { type: "added", text: "slow" },
    { type: "added", text: "\nOne more.\n" },
  ]);
});

test("both texts can be read from the parts, byte by byte", () => {
  for (const [before, after] of [
    [BEFORE, AFTER],
    ["", "new"],
    ["old", ""],
    ["same", "same"],
    ["a\r\nb", "a\nb"],
  ] as const) {
    const parts = wordDiff(before, after);
    const without = (type: string) =>
      parts
        .filter((part) => part.type !== type)
        .map(({ text }) => text)
        .join("");
    expect([without("added"), without("removed")]).toEqual([before, after]);
  }
});
