import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
const PAGES = globSync(["*.md", "docs/**/*.md"], { cwd: ROOT }).toSorted();

/** Code is no place for links: what stands in it is text. */
const proseOf = (page: string): string => readFileSync(path.join(ROOT, page), "utf8").replaceAll(/^```[^]*?^```|`[^`\n]*`/gm, "");

/** Where links within a page can lead: its headings, named as GitHub does, and anchors of its own. */
function anchorsOf(page: string): readonly string[] {
  const source = readFileSync(path.join(ROOT, page), "utf8");
  const headings = [...source.replaceAll(/^```[^]*?^```/gm, "").matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  return [...headings, ...[...source.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!)];
}

test("there are pages to look at", () => {
  expect(PAGES).toEqual(expect.arrayContaining(["README.md", "docs/webhooks.md"]));
});

test.each(PAGES)("%s: every link within the repository leads to a file, and to a heading in it", (page) => {
  const targets = [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
  for (const target of targets.filter((each) => !/^[a-z]+:/.test(each))) {
    const [file = "", anchor] = target.split("#");
    const found = file === "" ? page : path.join(path.dirname(page), file);
    expect(existsSync(path.join(ROOT, found)), target).toBe(true);
    if (anchor !== undefined) expect(anchorsOf(found), target).toContain(anchor);
  }
});
