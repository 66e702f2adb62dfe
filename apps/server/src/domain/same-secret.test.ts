import { expect, test } from "vitest";
import { isSameSecret } from "./same-secret.ts";

test("only the same text is the same, whatever its length and its characters", () => {
  for (const text of ["", "a", "ä", "0123456789abcdef", "𝒂"]) expect(isSameSecret(text, text), text).toBe(true);
  const pairs = [
    ["a", ""],
    ["a", "b"],
    ["a", "A"],
    ["ab", "a"],
    // As many units, not as many bytes.
    ["ä", "a"],
  ] as const;
  for (const [one, other] of pairs) expect([isSameSecret(one, other), isSameSecret(other, one)], one).toEqual([false, false]);
});
