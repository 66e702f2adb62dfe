import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
/** Words that docs/words.md keeps off the screen, the mail and the log, where they can be told from other uses. */
const NEVER = /\b(whoever|anew|for good|meanwhile|stands here|letter (to|about))\b/i;

/** Texts between quotes that have more than one word. What stands in comments is for those who read code. */
function textsOf(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:"'`\w])\/\/[^\n]*/g, "");
  return [...code.matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`|>[^<>{}=;()]+</g)]
    .map(([text]) => text)
    .filter((text) => text.includes(" "));
}

test("a text with such a word is found, a comment is not", () => {
  const found = textsOf('// whoever reads\nfail("NOT_FOUND", "Ask whoever runs it."); /* anew */ <p>Looked at anew</p>').filter((text) =>
    NEVER.test(text),
  );
  expect(found).toEqual(['"Ask whoever runs it."', ">Looked at anew<"]);
});

test("no text of the product says what docs/words.md never says", () => {
  const files = globSync(["apps/*/src/**/*.{ts,tsx}", "packages/*/src/**/*.ts"], { cwd: ROOT }).filter(
    (file) => !/\.test\.tsx?$|\/test-|\/sample\//.test(file),
  );
  expect(files.length).toBeGreaterThan(500);
  const found = files.flatMap((file) =>
    textsOf(readFileSync(path.join(ROOT, file), "utf8"))
      .filter((text) => NEVER.test(text))
      .map((text) => `${file}: ${text.slice(0, 120)}`),
  );
  expect(found).toEqual([]);
});
