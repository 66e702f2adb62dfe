import { expect, test } from "vitest";
import { isLinkable } from "./urls.ts";

test.each(["/a", "a", "#a", "?a=b:c", "a/b:c", "https://a.example", " HTTP://a.example", "mailto:a@b.example", "tel:+1", ""])(
  "may be linked to: %j",
  (url) => {
    expect(isLinkable(url)).toBe(true);
  },
);

test.each(["javascript:x", " JavaScript:x", "java\nscript:x", "data:text/html,x", "vbscript:x", "ftp://a.example", ":x", "http\t:x"])(
  "may not be linked to: %j",
  (url) => {
    expect(isLinkable(url)).toBe(false);
  },
);
