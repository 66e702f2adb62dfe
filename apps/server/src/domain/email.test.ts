import fc from "fast-check";
import { expect, test } from "vitest";
import { normaliseEmail } from "#domain/email";

test.each([
  [" Ada@Example.COM ", "ada@example.com"],
  ["a.b+c@sub.example.org", "a.b+c@sub.example.org"],
])("%j is kept as %s", (written, kept) => {
  expect(normaliseEmail(written)).toBe(kept);
});

test.each([
  "",
  "ada",
  "ada@",
  "@example.com",
  "ada@example",
  "a b@example.com",
  "ada@exa mple.com",
  `${"a".repeat(250)}@b.co`,
  "a@b.co\nBcc: c@d.co",
])("%j is not an address", (text) => {
  expect(normaliseEmail(text)).toBeNull();
});

test("a letter that only becomes ASCII when lowered does not pass for it", () => {
  // U+212A, the Kelvin sign, lowers to k.
  expect(normaliseEmail("\u212Ate@example.com")).toBeNull();
});

test("normalising twice changes nothing more", () => {
  fc.assert(
    fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: "binary" })), (text) => {
      const once = normaliseEmail(text);
      if (once !== null) expect(normaliseEmail(once)).toBe(once);
    }),
  );
});
