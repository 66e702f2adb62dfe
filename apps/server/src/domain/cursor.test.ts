import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeCursor, encodeCursor } from "#domain/cursor";
import { Failure } from "#domain/failure";

const raw = (content: unknown) => Buffer.from(typeof content === "string" ? content : JSON.stringify(content)).toString("base64url");
const refusal = (cursor: string, sort = "title") => {
  try {
    decodeCursor(cursor, sort);
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
  return "accepted";
};

test("a cursor is base64url of a small versioned object, as the contract says", () => {
  const cursor = encodeCursor("-publishedAt", { key: "2026-11-01T10:00:00.000Z", id: "post_01h455vb4pex5vsknk084sn02q" });
  expect(Buffer.from(cursor, "base64url").toString()).toBe(
    '{"v":1,"s":"-publishedAt","k":"2026-11-01T10:00:00.000Z","id":"post_01h455vb4pex5vsknk084sn02q"}',
  );
});

test("whatever was encoded comes back as it was", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 200 }).filter((value) => !value.includes("\u0000"));
  fc.assert(
    fc.property(text, text, (key, id) => {
      expect(decodeCursor(encodeCursor("title", { key, id }), "title")).toEqual({ key, id });
    }),
  );
});

test("a cursor of a newer version is told apart from a broken one", () => {
  expect(refusal(raw({ v: 2, s: "title", k: "a", id: "b" }))).toBe("UNSUPPORTED_CURSOR_VERSION");
  expect(refusal(raw({ v: 99, anything: "else" }))).toBe("UNSUPPORTED_CURSOR_VERSION");
});

test("a cursor used with another sort is refused", () => {
  const cursor = encodeCursor("title", { key: "a", id: "b" });
  expect(refusal(cursor, "-title")).toBe("INVALID_CURSOR");
  expect(refusal(cursor, "title")).toBe("accepted");
});

test.each([
  ["empty", ""],
  ["not base64url", "a b"],
  ["not JSON", raw("hello")],
  ["not UTF-8", Buffer.from([0xff, 0xfe, 0x7b]).toString("base64url")],
  ["a list", raw([1])],
  ["null", raw("null")],
  ["no version", raw({ s: "title", k: "a", id: "b" })],
  ["version 0", raw({ v: 0, s: "title", k: "a", id: "b" })],
  ["version 1.5", raw({ v: 1.5, s: "title", k: "a", id: "b" })],
  ["version as text", raw({ v: "1", s: "title", k: "a", id: "b" })],
  ["a key that is a number", raw({ v: 1, s: "title", k: 1, id: "b" })],
  ["no id", raw({ v: 1, s: "title", k: "a" })],
  ["a NUL, which PostgreSQL cannot compare", raw({ v: 1, s: "title", k: "a\u0000", id: "b" })],
  ["a lone surrogate", raw('{"v":1,"s":"title","k":"\\ud800","id":"b"}')],
  ["one letter too many", `${encodeCursor("title", { key: "a", id: "bb" })}A`],
  ["padding", `${raw({ v: 1, s: "title", k: "a", id: "b" })}=`],
  ["longer than any of ours", raw({ v: 1, s: "title", k: "a".repeat(5000), id: "b" })],
])("refused as altered: %s", (_, cursor) => {
  expect(refusal(cursor)).toBe("INVALID_CURSOR");
});

test("a sort by time accepts only a moment as its key", () => {
  for (const sort of ["-publishedAt", "publishedAt", "-editedAt", "-at"]) {
    expect(refusal(encodeCursor(sort, { key: "2026-11-01T10:00:00.000Z", id: "b" }), sort)).toBe("accepted");
    for (const key of ["yesterday", "2026-13-01T10:00:00.000Z", "2026-11-01", "0000-01-01T00:00:00.000Z"]) {
      expect(refusal(encodeCursor(sort, { key, id: "b" }), sort)).toBe("INVALID_CURSOR");
    }
  }
});

test("any bytes at all are read or refused, never a fault", () => {
  const codes = new Set(["accepted", "INVALID_CURSOR", "UNSUPPORTED_CURSOR_VERSION"]);
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array).toString("base64url"));
  const shaped = fc.record({ v: fc.jsonValue(), s: fc.jsonValue(), k: fc.jsonValue(), id: fc.jsonValue() }).map(raw);
  const anything = fc.oneof(fc.string({ unit: "binary" }), bytes, fc.json().map(raw), shaped);
  fc.assert(
    fc.property(anything, fc.constantFrom("title", "-publishedAt"), (cursor, sort) => codes.has(refusal(cursor, sort))),
    { numRuns: 2000 },
  );
});
