import { GRAMMAR_LIMITS } from "@stet/markdown";
import { describe, expect, test } from "vitest";
import { HOSTILE_BODIES } from "#test/markdown/hostile-bodies";
import { LIMITS } from "./limits.ts";
import { renderMarkdown } from "./render.ts";
import { sanitizeHtml } from "./sanitize-html.ts";

const KIB = 1024;

/**
 * How the time grows from 8 to 64 KiB: eightfold when it is linear, sixty-fourfold when it is quadratic. Processor time
 * of this thread, since the machine may be busy; a floor, below which clocks are noise; and up to three tries, since a
 * collection of garbage falls where it falls. Where the longer one alone shows that it is fast enough, the shorter one is not run.
 */
function growth(run: (size: number) => void): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3 && least >= TOO_FAST; i++) {
    const long = timeOf(() => run(64 * KIB));
    const short =
      long / FLOOR_MILLIS < TOO_FAST
        ? FLOOR_MILLIS
        : Math.max(
            timeOf(() => run(8 * KIB)),
            FLOOR_MILLIS,
          );
    least = Math.min(least, long / short);
  }
  return least;
}

const FLOOR_MILLIS = 4;
const TOO_FAST = 30;

/** In milliseconds. */
function timeOf(run: () => void): number {
  const start = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1_000;
}

test("the bodies are as many and as long as they should be", () => {
  expect(HOSTILE_BODIES.size).toBeGreaterThan(150);
  for (const [name, body] of HOSTILE_BODIES) expect(Math.abs(body(64 * KIB).length / (64 * KIB) - 1), name).toBeLessThan(0.1);
});

describe("time grows with the length of a hostile body, not with its square", () => {
  test.each([...HOSTILE_BODIES])(
    "%s",
    (_name, body) => {
      expect(growth((size) => renderMarkdown(body(size)))).toBeLessThan(TOO_FAST);
    },
    120_000,
  );
});

describe("a hostile body of 1 MiB", () => {
  test.each([
    "deep quotes with lazy lines",
    "deep emphasis",
    "deep raw elements",
    "one long definition, used often",
    "many tables with short rows",
    "one footnote, referred to often",
  ])("gives HTML within the bound, and loses no stack: %s", (name) => {
    const { html } = renderMarkdown(HOSTILE_BODIES.get(name)!(1024 * KIB));
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(LIMITS.htmlBytes);
  });

  test("sanitising one grows with its length too", () => {
    for (const [name, body] of HOSTILE_BODIES) {
      expect(
        growth((size) => void sanitizeHtml(body(size))),
        name,
      ).toBeLessThan(TOO_FAST);
    }
  }, 120_000);
});

describe("beyond a bound", () => {
  test("what is nested too deep is plain text, and whole", () => {
    const { html, text } = renderMarkdown(`${"> ".repeat(50)}*deep* <b>words</b>`);
    expect(html.match(/<blockquote>/g)).toHaveLength(GRAMMAR_LIMITS.blockDepth);
    expect(html).toContain("*deep* &lt;b&gt;words&lt;/b&gt;");
    expect(text).toContain("deep");
    expect(renderMarkdown(`${"- ".repeat(50)}deep\n- next`).text).toMatch(/deep\nnext$/);
  });

  test("table rows are a paragraph, and none is lost", () => {
    const rows = 60_000;
    const { html, text } = renderMarkdown(`|a|b|\n|-|-|\n${"|c|d|\n".repeat(rows)}`);
    expect(html.match(/<td>/g)!.length).toBeLessThanOrEqual(GRAMMAR_LIMITS.tableCells);
    expect(text.match(/c/g)).toHaveLength(rows);
  });

  test("footnote references stay text", () => {
    const { html } = renderMarkdown(`[^a]: note\n\n${"[^a] ".repeat(GRAMMAR_LIMITS.footnoteReferences + 5)}`);
    expect(html.match(/\[\^a\]/g)).toHaveLength(5);
  });

  test("a body that is only markup is shown as typed", () => {
    const body = "#\n".repeat(400_000);
    const rendering = renderMarkdown(body);
    expect(rendering).toMatchObject({ html: `<pre class="markdown-source">${body}</pre>\n`, headings: [], text: body });
    expect(sanitizeHtml(rendering.html)).toBe(rendering.html);
  });

  test("HTML that only its closing tags make too long is caught as well", () => {
    const body = `${"<section>".repeat(LIMITS.elementDepth)}${"a".repeat(LIMITS.htmlBytes - 9 * LIMITS.elementDepth)}`;
    expect(renderMarkdown(body).html).toMatch(/^<pre class="markdown-source">/);
  });

  test("headings are rendered but no longer listed", () => {
    const { html, headings } = renderMarkdown("# a\n".repeat(3_000));
    expect(headings).toHaveLength(LIMITS.listedHeadings);
    expect(html.match(/<h1 /g)).toHaveLength(3_000);
  });
});
