import fc from "fast-check";
import { expect, test } from "vitest";
import { fold, foldWhole } from "#domain/fold";

test("accents, case and width do not matter", () => {
  expect(fold("Éclair Über Ångström ﬁn ＡＢＣ")).toBe("eclair uber angstrom fin abc");
});

test("a text of nothing but marks is folded as soon as any other", () => {
  expect(foldWhole(`A${"\u0301\u0316".repeat(250_000)}b`)).toBe("ab");
});

test("a folded text has at most 200 bytes and ends at a whole character", () => {
  const folded = fold("日本語のとても長い題名".repeat(30));
  expect(Buffer.byteLength(folded)).toBeLessThanOrEqual(200);
  expect(folded).not.toContain("\uFFFD");
});

test("whatever is folded can be stored and folds to itself", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 400 }), (text) => {
      const folded = fold(text);
      expect(folded.isWellFormed()).toBe(true);
      expect(folded).not.toContain("\u0000");
      expect(Buffer.byteLength(folded)).toBeLessThanOrEqual(200);
      expect(fold(folded)).toBe(folded);
    }),
  );
});
