import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const SERVER = path.join(import.meta.dirname, "../..");
const PAGE = readFileSync(path.join(SERVER, "../../docs/spec-coverage.md"), "utf8");

const sourceOf = (file: string): string | null => {
  const found = file.includes("/") ? path.join(SERVER, file) : path.join(import.meta.dirname, file);
  return existsSync(found) ? readFileSync(found, "utf8") : null;
};

/** As it was before it had to stand in a table of Markdown. */
const plain = (text: string): string => text.replaceAll("\\|", "|").replaceAll("&lt;", "<").replaceAll("&gt;", ">");

test("every sentence on the page names tests that exist", () => {
  const rows = PAGE.split("\n").filter((line) => /^\| (?!sentence|what \|)/.test(line));
  expect(rows.length).toBeGreaterThan(60);
  for (const row of rows) {
    const proofs = row.split(" | ").at(-1)!.replace(/ \|$/, "").split("<br>");
    for (const proof of proofs) {
      const [, file, title] = /^`([\w./-]+\.test\.ts)` › (.+?)(?: \(and .*\))?$/.exec(plain(proof)) ?? [];
      expect(file, row).toBeDefined();
      expect(sourceOf(file!)?.includes(`"${title}"`), `${file} › ${title}`).toBe(true);
    }
  }
});
