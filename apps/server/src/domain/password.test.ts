import { expect, test } from "vitest";
import { passwordProblem } from "#domain/password";

test("a password has 10 to 128 characters, of any kind", () => {
  expect(passwordProblem("a".repeat(9))).toContain("at least 10");
  expect(passwordProblem("a".repeat(10))).toBeNull();
  expect(passwordProblem("a".repeat(128))).toBeNull();
  expect(passwordProblem("a".repeat(129))).toContain("at most 128");
});
