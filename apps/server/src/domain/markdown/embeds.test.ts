import { describe, expect, test } from "vitest";
import { renderMarkdown } from "./render.ts";

const html = (markdown: string): string => renderMarkdown(markdown).html.trim();
const frameSrc = (markdown: string): string | undefined => /<iframe src="([^"]*)"/.exec(html(markdown))?.[1]?.replaceAll("&amp;", "&");

const YOUTUBE = "https://www.youtube-nocookie.com/embed/dQw4w9WgXcQ";

describe("frames", () => {
  test.each([
    ["::youtube{id=dQw4w9WgXcQ}", YOUTUBE],
    ['::youtube{id="dQw4w9WgXcQ" start=42}', `${YOUTUBE}?start=42`],
    ["::youtube{url=https://www.youtube.com/watch?v=dQw4w9WgXcQ&t=42s}", `${YOUTUBE}?start=42`],
    ["::youtube{url='https://youtu.be/dQw4w9WgXcQ'}", YOUTUBE],
    ["::youtube{url=https://www.youtube.com/shorts/dQw4w9WgXcQ}", YOUTUBE],
    ["::vimeo{id=123456789}", "https://player.vimeo.com/video/123456789?dnt=1"],
    ["::vimeo{url=https://vimeo.com/123456789/abcdef0123}", "https://player.vimeo.com/video/123456789?dnt=1&h=abcdef0123"],
    ["::codepen{user=chriscoyier id=gfdDu}", "https://codepen.io/chriscoyier/embed/gfdDu?default-tab=result"],
    ["::codepen{url=https://codepen.io/chriscoyier/pen/gfdDu}", "https://codepen.io/chriscoyier/embed/gfdDu?default-tab=result"],
    ['<iframe src="https://www.youtube.com/embed/dQw4w9WgXcQ?autoplay=1" onload="x"></iframe>', YOUTUBE],
    ['<iframe src="//player.vimeo.com/video/123456789"></iframe>', "https://player.vimeo.com/video/123456789?dnt=1"],
  ])("%s", (markdown, src) => {
    expect(frameSrc(markdown)).toBe(src);
  });

  test("are sandboxed, load late, say little of the reader and have a title", () => {
    const out = html("::youtube[The <b>talk</b>]{id=dQw4w9WgXcQ}");
    expect(out).toMatch(/^<div class="embed embed-youtube"><iframe [^>]*><\/iframe><\/div>$/);
    for (const part of [
      'title="The &lt;b&gt;talk&lt;/b&gt;"',
      'loading="lazy"',
      'referrerpolicy="strict-origin-when-cross-origin"',
      'sandbox="allow-scripts ',
    ]) {
      expect(out).toContain(part);
    }
    expect(out).not.toMatch(/allow-top-navigation|allow-downloads|allow-modals/);
  });
});

test("X and gist are links in a card, without a script of theirs", () => {
  expect(html("::x{url=https://twitter.com/stet/status/1234567890}")).toBe(
    '<blockquote class="embed embed-x"><p><a href="https://x.com/stet/status/1234567890">x.com/stet/status/1234567890</a></p></blockquote>',
  );
  expect(html("::x[What they said]{user=stet id=1234567890}")).toContain(
    '<a href="https://x.com/stet/status/1234567890">What they said</a>',
  );
  expect(html("::gist{user=octocat id=6cad326836d38bd3a7ae}")).toContain('<a href="https://gist.github.com/octocat/6cad326836d38bd3a7ae">');
});

test.each([
  "::youtube{id=dQw4w9WgXcQ/../x}",
  "::youtube{id='\"onload=x'}",
  "::youtube{url=https://evil.example/embed/dQw4w9WgXcQ}",
  "::youtube{url=https://www.youtube.com.evil.example/embed/dQw4w9WgXcQ}",
  "::youtube{url=javascript:alert(1)}",
  "::vimeo{id=abc}",
  "::codepen{user=.. id=gfdDu}",
  "::x{user=stet id=1/photo}",
  "::gist{user=octocat id=..}",
  "::constructor{id=1}",
  "::iframe{src=https://evil.example}",
  `::youtube{id=dQw4w9WgXcQ ${"a=b ".repeat(400)}}`,
])("what is none of ours, or has a bad id, stays text: %.60s", (markdown) => {
  const out = html(markdown);
  expect(out).not.toMatch(/<(?:iframe|div|blockquote)/);
  expect(renderMarkdown(markdown).text.replaceAll(" ", "")).toBe(markdown.replaceAll(" ", ""));
});

test.each(["https://evil.example/", "https://www.youtube.com/watch_popup?v=dQw4w9WgXcQ", "javascript:alert(1)", "data:text/html,x", ""])(
  "a raw frame of another address is left out: %s",
  (src) => {
    expect(html(`<iframe src="${src}" srcdoc="<script>alert(1)</script>">fallback</iframe>\n\nrest`)).toBe("<p>rest</p>");
  },
);
