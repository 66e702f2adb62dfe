import fc from "fast-check";
import { expect, test } from "vitest";
import { originAllowed, parseOrigin, parseOrigins } from "#domain/origins";

test.each([
  ["example.com", "example.com"],
  [" Example.COM ", "example.com"],
  ["localhost", "localhost"],
  ["*.example.com", "*.example.com"],
  ["*.blog.example.co.uk", "*.blog.example.co.uk"],
  ["http://localhost:3000", "http://localhost:3000"],
  ["https://example.com/", "https://example.com"],
  ["https://EXAMPLE.com:443", "https://example.com"],
  ["http://[::1]:5173", "http://[::1]:5173"],
  ["müller.de", "xn--mller-kva.de"],
  ["*.müller.de", "*.xn--mller-kva.de"],
])("%s is kept as %s", (written, kept) => {
  expect(parseOrigin(written)).toEqual({ origin: kept });
});

test.each([
  ["", "not a domain"],
  ["*", "leave the list empty"],
  ["null", "cannot be null"],
  ["*.com", "too wide"],
  ["*.*.example.com", "only as its first part"],
  ["example.*", "only as its first part"],
  ["https://*.example.com", "not an origin"],
  ["example.com/blog", "must not have a path"],
  ["https://example.com/blog", "must end after the domain"],
  ["https://user:pw@example.com", "must end after the domain"],
  ["localhost:3000", "full origin"],
  ["ftp://example.com", "must start with https:// or http://"],
  ["exa mple.com", "not a domain"],
  ["user@example.com", "not a domain"],
  ["example..com", "not a domain"],
  ["-example.com", "not a domain"],
  ["javascript://example.com", "must start with"],
])("%j is refused, and told why", (written, reason) => {
  expect(parseOrigin(written)).toEqual({ problem: expect.stringContaining(reason) });
});

test("whatever is written, it is parsed or refused, and what is kept parses to itself", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "grapheme" }), fc.domain(), fc.webUrl()), (text) => {
      const parsed = parseOrigin(text);
      if ("origin" in parsed) expect(parseOrigin(parsed.origin)).toEqual(parsed);
    }),
  );
});

test("a list is kept once each, and every entry at fault is named by its position", () => {
  expect(parseOrigins(["example.com", "*", "EXAMPLE.com", "a b"])).toEqual({
    origins: ["example.com"],
    errors: [
      { field: "origins.1", message: expect.any(String) },
      { field: "origins.3", message: expect.any(String) },
    ],
  });
  expect(parseOrigins(Array.from({ length: 101 }, (_, i) => `a${i}.example`)).errors[0]?.field).toBe("origins");
});

test("a domain means that domain by https on the usual port, and nothing else", () => {
  expect(originAllowed(["example.com"], "https://example.com")).toBe(true);
  for (const origin of [
    "http://example.com",
    "https://example.com:8443",
    "https://www.example.com",
    "https://example.com.evil.net",
    "https://evilexample.com",
    "https://example.com/",
    "https://example.com@evil.net",
    "null",
    "",
    "example.com",
  ]) {
    expect(originAllowed(["example.com"], origin), origin).toBe(false);
  }
});

test("a wildcard means every subdomain, not the domain itself", () => {
  const allowed = ["*.example.com"];
  expect(originAllowed(allowed, "https://www.example.com")).toBe(true);
  expect(originAllowed(allowed, "https://a.b.example.com")).toBe(true);
  for (const origin of ["https://example.com", "https://evilexample.com", "http://www.example.com", "https://www.example.com.evil.net"]) {
    expect(originAllowed(allowed, origin), origin).toBe(false);
  }
});

test("a full origin means exactly itself", () => {
  expect(originAllowed(["http://localhost:3000"], "http://localhost:3000")).toBe(true);
  expect(originAllowed(["http://localhost:3000"], "http://localhost:3001")).toBe(false);
  expect(originAllowed(["http://localhost:3000"], "https://localhost:3000")).toBe(false);
});

test("an empty list allows any origin; with a list, null never matches", () => {
  expect(originAllowed([], "https://anything.example")).toBe(true);
  expect(originAllowed(["example.com", "*.example.com", "http://localhost:3000"], "null")).toBe(false);
});
