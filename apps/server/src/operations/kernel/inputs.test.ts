import { expect, test } from "vitest";
import { emailAddress, httpUrl, lineOf, nameOf, textOf } from "./inputs.ts";

const taken = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) => schema.safeParse(value).success;

test("a name is trimmed and counted in characters, not in bytes or halves of them", () => {
  expect(nameOf().parse("  Ünïcode 日本 😀 ")).toBe("Ünïcode 日本 😀");
  expect(taken(nameOf(), "😀".repeat(120))).toBe(true);
  expect(taken(nameOf(), "😀".repeat(121))).toBe(false);
});

test.each(["", "  ", "\u200b", "a\u0007b", "a\nb", "a\u0000b", "a\ud800b", "invoice\u202egpj.exe", 7, null])(
  "a name that nobody can see or that hides something is refused: %j",
  (value) => expect(taken(nameOf(), value)).toBe(false),
);

test("a line may be empty and a text may have lines, but neither holds control characters", () => {
  expect(taken(lineOf(10), "")).toBe(true);
  expect(taken(lineOf(10), "a\nb")).toBe(false);
  expect(taken(textOf(10), "a\n\tb\r\n")).toBe(true);
  expect(taken(textOf(10), "a\u001bb")).toBe(false);
  expect(taken(textOf(3), "abcd")).toBe(false);
});

test.each(["https://example.com/a?b#c", "http://localhost:3000"])("an address can be followed: %s", (value) =>
  expect(taken(httpUrl, value)).toBe(true),
);

test.each(["javascript:alert(1)", "data:text/html,x", "//example.com", "example.com", "https://u:p@example.com", "https://", ""])(
  "what is no http address, or carries credentials, is refused: %s",
  (value) => expect(taken(httpUrl, value)).toBe(false),
);

test("an e-mail address is kept in lower case", () => {
  expect(emailAddress.parse(" Ada@Example.ORG ")).toBe("ada@example.org");
  expect(taken(emailAddress, "ada at example")).toBe(false);
});
