import { expect, test } from "vitest";
import { isOwnPath } from "./own-path.ts";

test("only a path of this dashboard is gone to after signing in", () => {
  for (const own of ["/", "/s/site_1/posts?q=a%20b#top", "/oauth/consent/abc", "/@x"]) expect(isOwnPath(own), own).toBe(true);
  // Browsers read a backslash as a slash, and leave out tabs and line breaks wherever they stand.
  const elsewhere = [
    "//evil.example",
    "/\\evil.example",
    "/\t/evil.example",
    "/\n\\evil.example",
    "\t//evil.example",
    "https://evil.example",
  ];
  for (const path of [...elsewhere, "javascript:alert(1)", "", "posts", undefined, 7]) expect(isOwnPath(path), String(path)).toBe(false);
});
