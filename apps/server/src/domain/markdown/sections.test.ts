import { expect, test } from "vitest";
import { sectionsOf } from "./sections.ts";

test.each([
  ["# One", ["One"]],
  ["  ##\tTwo  \r", ["Two"]],
  ["# Closed ##  ", ["Closed"]],
  ["# C#", ["C#"]],
  ["#", [""]],
  ["#tag and ####### seven", []],
  ["```\n# code\n```\n# Text", ["Text"]],
])("the headings of %j are %j", (markdown, texts) => {
  expect(sectionsOf(markdown).map(({ text }) => text)).toEqual(texts);
});

test("a section reaches to the next heading of its depth", () => {
  const markdown = "# A\na\n## B\nb\n# C\n";
  expect(sectionsOf(markdown).map(({ start, end }) => markdown.slice(start, end))).toEqual(["# A\na\n## B\nb\n", "## B\nb\n", "# C\n"]);
});

test("headings of nothing but spaces and one letter at their end are found in no time", () => {
  const line = `# a${" ".repeat(990)}b\n`;
  const began = process.cpuUsage();
  expect(sectionsOf(line.repeat(1_000))).toHaveLength(1_000);
  expect(process.cpuUsage(began).user).toBeLessThan(1_000_000);
});
