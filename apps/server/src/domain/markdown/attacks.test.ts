import { describe, expect, test } from "vitest";
import { ATTACK_VECTORS } from "#test/markdown/attack-vectors";
import { forbiddenIn } from "#test/markdown/forbidden-in";
import { renderMarkdown } from "./render.ts";
import { sanitizeHtml } from "./sanitize-html.ts";

/** Every place in a body where a writer's text ends up in the HTML. */
const PLACES: Readonly<Record<string, (vector: string) => string>> = {
  "on its own": (vector) => vector,
  "in a paragraph": (vector) => `before ${vector} after`,
  "in an HTML block": (vector) => `<div>\n${vector}\n</div>`,
  "in a raw attribute": (vector) => `<p title="${vector}" class='${vector}' id=${vector}>x</p>`,
  "as a link's address": (vector) => `[x](${vector}) [x](<${vector}>) <${vector}>`,
  "as an image's address": (vector) => `![x](${vector}) ![x](<${vector}>)`,
  "as a title": (vector) => `[x](/y "${vector}") ![x](/y '${vector}')`,
  "as an image's words": (vector) => `![${vector}](/y)`,
  "as a link definition": (vector) => `[x]\n\n[x]: ${vector} "${vector}"`,
  "as an address in the text": (vector) => `https://a.example/${vector} www.a.example/${vector} a@${vector}`,
  "in an info string": (vector) => `\`\`\`${vector}\n${vector}\n\`\`\``,
  "as a footnote": (vector) => `a[^${vector}]\n\n[^${vector}]: ${vector}`,
  "as a callout's title": (vector) => `:::note[${vector}]{class="${vector}"}\n${vector}\n:::`,
  "in a directive": (vector) =>
    `::youtube[${vector}]{id=${vector}}\n\n::x{url="${vector}"}\n\n::youtube[${vector}]{id=dQw4w9WgXcQ start="${vector}"}`,
  "as a heading": (vector) => `# ${vector}`,
  "in a table": (vector) => `| ${vector} | b |\n|---|---|\n| ${vector} | d |`,
  "in a task": (vector) => `- [ ] ${vector}`,
};

test("the corpus holds more than two hundred vectors with markup or a scheme", () => {
  expect(ATTACK_VECTORS.filter((vector) => /<|:/.test(vector)).length).toBeGreaterThan(200);
});

test("the judge sees what is forbidden", () => {
  for (const bad of [
    "<script>x</script>",
    "<p onclick=x>",
    "<a href=' java\nscript:x'>",
    "<svg>",
    "<p id=cookie>",
    "<iframe src=x>",
    "<!-- x -->",
    "<img src=data:x>",
  ]) {
    expect(forbiddenIn(bad), bad).not.toEqual([]);
  }
  expect(forbiddenIn('<p class="callout"><a href="/x">x</a></p>')).toEqual([]);
});

describe("of every published attack only allowed elements, attributes and addresses are left", () => {
  test.each(Object.entries(PLACES))("%s", (_place, wrap) => {
    for (const vector of ATTACK_VECTORS) {
      const { html } = renderMarkdown(wrap(vector));
      expect(forbiddenIn(html), vector).toEqual([]);
    }
  });

  test("in HTML from a database that is not ours", () => {
    for (const vector of ATTACK_VECTORS) {
      for (const html of [
        vector,
        `<p>${vector}</p>`,
        `<a href="${vector}">x</a>`,
        `<a href='${vector}'>x</a>`,
        `<h2 id="${vector}">x</h2>`,
      ]) {
        expect(forbiddenIn(sanitizeHtml(html)), html).toEqual([]);
      }
    }
  });
});
