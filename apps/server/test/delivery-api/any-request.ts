import { POST_SORTS } from "@stet/contract";
import fc from "fast-check";
import { MARK } from "./two-tenants.ts";

export const anyText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "\u0000",
    "\ud800",
    "..",
    "/",
    "%",
    "'",
    '"',
    "\\",
    "${7*7}",
    "1e309",
    "-0",
    "true",
    "null",
    "[object Object]",
    "__proto__",
    "constructor",
    "\u202e",
    "😀".repeat(50),
  ),
);
const json = fc.oneof(fc.jsonValue(), fc.constant(undefined));
const encoded = (value: string) => Buffer.from(value).toString("base64url");

/** Cursors that look like ours more or less, with other types and other people's ids in them. */
export const anyCursor = (foreign: readonly string[], own: readonly string[]) =>
  fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString("base64url")),
    anyText.map((text) => encodeURIComponent(text.toWellFormed())),
    json.map((value) => encoded(JSON.stringify(value) ?? "")),
    fc
      .record({
        v: fc.oneof(fc.constant(1), fc.constantFrom<unknown>(2, 0, -1, 1.5, "1", null, true, [1], 1e300)),
        s: fc.oneof(fc.constantFrom<unknown>(...POST_SORTS, "name", "-rank", "changes", "-views.7d", "-views.all"), json),
        k: fc.oneof(
          anyText,
          fc.constantFrom<unknown>(
            "2026-11-15T09:00:00.000Z",
            "+010000-01-01T00:00:00.000Z",
            "0000-00-00T00:00:00.000Z",
            "-000001-01-01T00:00:00.000Z",
            "9999-12-31T23:59:59.999Z",
            "1",
            "0",
            "999999999999999",
            "-1",
            "0.5 post",
            "",
          ),
          json,
        ),
        id: fc.oneof(fc.constantFrom(...foreign), anyText, json),
      })
      .map((value) => encoded(JSON.stringify(value))),
    fc
      .tuple(fc.constantFrom(...own, ...foreign), fc.nat({ max: 400 }), fc.constantFrom("", "A", "=", "%00", "~"))
      .map(([whole, cut, tail]) => whole.slice(0, cut) + tail),
  );

/** What a parameter or a name in a path can be given. */
export const anyValue = (foreign: readonly string[], own: readonly string[]) =>
  fc.oneof(
    anyCursor(foreign, own),
    fc.constantFrom(...foreign),
    fc.integer().map(String),
    fc.constantFrom(...POST_SORTS, "true", "7d", "html", "post", MARK),
  );
export const anyQuery = (foreign: readonly string[], own: readonly string[]) =>
  fc.array(
    fc.tuple(
      fc.constantFrom("limit", "cursor", "sort", "category", "tag", "author", "featured", "q", "period", "since", "format", "page", "x"),
      anyValue(foreign, own),
    ),
    { maxLength: 4 },
  );
