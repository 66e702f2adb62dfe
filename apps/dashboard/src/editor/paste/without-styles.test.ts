import { expect, test } from "vitest";
import { withoutStyles } from "./without-styles.ts";

test("style elements go with all that is in them, and nothing else does", () => {
  expect(withoutStyles('<p>a</p><style>p { color: red }</style><p>b</p><STYLE type="x">\n</Style ><p>c</p>')).toBe(
    "<p>a</p><p>b</p><p>c</p>",
  );
  expect(withoutStyles("<p>a</p><style><style>b</style>c")).toBe("<p>a</p>c");
  expect(withoutStyles("<p>a</p><style>b")).toBe("<p>a</p>");
  expect(withoutStyles("<styled>a</styled></style>")).toBe("<styled>a</styled></style>");
});

test("a clipboard full of beginnings takes no longer than its length", () => {
  const half = 400_000;
  const begun = performance.now();
  expect(withoutStyles("<style ".repeat(half) + "</style".repeat(half))).toBe("");
  // Once through is some milliseconds; looking for the end at every beginning, some minutes.
  expect(performance.now() - begun).toBeLessThan(5_000);
});
