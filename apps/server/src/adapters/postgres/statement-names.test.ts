import { expect, test } from "vitest";
import { statementNames } from "./statement-names.ts";

test("a statement keeps its name while uses grow fourfold, then gets another, never one of another statement", () => {
  const nameOf = statementNames();
  const names = Array.from({ length: 20_000 }, () => nameOf("SELECT 1"));
  const changes = names.flatMap((name, index) => (index > 0 && name !== names[index - 1] ? [index] : []));
  expect(changes).toEqual([256, 1_024, 4_096, 16_384]);
  expect(new Set(names).size).toBe(5);
  expect(names).not.toContain(nameOf("SELECT 2"));
  // The server cuts longer ones off.
  for (const name of new Set(names)) expect(name.length).toBeLessThan(64);
});
