import { expect, test } from "vitest";
import { mergeTexts } from "./merge-texts.ts";

const BASE = "One.\n\nTwo.\n\nThree.\n\nFour.";
const FIGURE = `${BASE}\n\n![a](/a.png "Cap"){.wide}\n\nFive.`;

test.each([
  ["different paragraphs", BASE.replace("One", "Uno"), BASE.replace("Three", "Tres"), "Uno.\n\nTwo.\n\nTres.\n\nFour."],
  ["an insertion and a removal", BASE.replace("\n\nTwo.", ""), `${BASE}\n\nFive.`, "One.\n\nThree.\n\nFour.\n\nFive."],
  [
    "the same change on both sides",
    BASE.replace("Two", "Dos"),
    BASE.replace("Two", "Dos").replace("Four", "F"),
    "One.\n\nDos.\n\nThree.\n\nF.",
  ],
  ["a change on one side only", BASE, BASE.replace("Two", "Dos"), BASE.replace("Two", "Dos")],
  ["the whole text on one side only", "Other", BASE, "Other"],
])("%s merge, from either side", (_, one, other, merged) => {
  expect(mergeTexts(BASE, one, other)).toBe(merged);
  expect(mergeTexts(BASE, other, one)).toBe(merged);
});

test.each([
  ["the same paragraph", BASE.replace("Two", "Dos"), BASE.replace("Two", "Deux")],
  ["lines that touch", BASE.replace("Two.\n", "Dos.\n"), BASE.replace("Two.\n\n", "Two.\n- and\n")],
  ["two insertions at one place", `${BASE}\n\nFive.`, `${BASE}\n\nSix.`],
  ["a paragraph that the other removed", BASE.replace("\n\nTwo.", ""), BASE.replace("Two", "Dos")],
])("%s conflict, from either side", (_, one, other) => {
  expect(mergeTexts(BASE, one, other)).toBeNull();
  expect(mergeTexts(BASE, other, one)).toBeNull();
});

test("a caption and another paragraph merge, caption and width of one image conflict", () => {
  const recaptioned = FIGURE.replace("Cap", "Caption");
  expect(mergeTexts(FIGURE, recaptioned, FIGURE.replace("Five", "Cinq"))).toBe(recaptioned.replace("Five", "Cinq"));
  expect(mergeTexts(FIGURE, recaptioned, FIGURE.replace("{.wide}", "{.full}"))).toBeNull();
});

test("changes far apart in a text of very many lines merge", () => {
  const lines = "x\n".repeat(300_000);
  expect(mergeTexts(`a\n${lines}b\n`, `A\n${lines}b\n`, `a\n${lines}B\n`)).toBe(`A\n${lines}B\n`);
});

test("texts that share nothing are a conflict, without a long search", () => {
  const many = (word: string) => Array.from({ length: 20_000 }, (_, n) => `${word} ${n}`).join("\n");
  expect(mergeTexts(many("a"), many("b"), many("c"))).toBeNull();
});
