import { describe, expect, test } from "vitest";
import { RENDERER_VERSION, renderMarkdown } from "./render.ts";
import { sanitizeHtml } from "./sanitize-html.ts";

const html = (markdown: string): string => renderMarkdown(markdown).html.trim();

describe("GFM", () => {
  test("a table keeps its alignment without a style attribute", () => {
    expect(html("| a | b |\n|:-:|--:|\n| c | d |")).toContain('<th align="center">a</th>');
    expect(html("| a | b |\n|:-:|--:|\n| c | d |")).toContain('<td align="right">d</td>');
  });

  test("struck text is deleted text", () => {
    expect(html("~~gone~~")).toBe("<p><del>gone</del></p>");
  });

  test("a task list shows boxes that cannot be ticked", () => {
    const list = html("- [ ] open\n- [x] done\n- [link](/x)");
    expect(list).toContain('<li class="task-list-item"><input type="checkbox" disabled=""> open</li>');
    expect(list).toContain('<input type="checkbox" disabled="" checked=""> done');
    expect(list).toContain('<li><a href="/x">link</a></li>');
  });

  test.each([
    ["see https://example.com/a.", '<p>see <a href="https://example.com/a">https://example.com/a</a>.</p>'],
    ["see www.example.com/a_b!", '<p>see <a href="http://www.example.com/a_b">www.example.com/a_b</a>!</p>'],
    ["write to me@example.org", '<p>write to <a href="mailto:me@example.org">me@example.org</a></p>'],
    ["readme.md and example.com stay", "<p>readme.md and example.com stay</p>"],
    ["www. and www.a stay", "<p>www. and www.a stay</p>"],
    ["ftp://example.com stays", "<p>ftp://example.com stays</p>"],
  ])("of bare addresses only http, www and e-mail become links: %s", (markdown, expected) => {
    expect(html(markdown)).toBe(expected);
  });
});

describe("code", () => {
  test("a code block keeps its language and nothing else of the info string", () => {
    expect(html('```c++ title="x"\na < b\n```')).toBe('<pre><code class="language-c++">a &lt; b\n</code></pre>');
  });

  test("an info string cannot bring in another class", () => {
    expect(html('```"onload=x\na\n```')).toBe("<pre><code>a\n</code></pre>");
  });
});

describe("headings", () => {
  test("ids are made from the text as on GitHub, unique within the document", () => {
    const { headings } = renderMarkdown("# Hello, *World*!\n\n## Hello World\n\n### Hello World 1\n\n## Hello world\n\n## 你好 Ünï_x");
    expect(headings).toEqual([
      { id: "h-hello-world", depth: 1, text: "Hello, World!" },
      { id: "h-hello-world-1", depth: 2, text: "Hello World" },
      { id: "h-hello-world-1-1", depth: 3, text: "Hello World 1" },
      { id: "h-hello-world-2", depth: 2, text: "Hello world" },
      { id: "h-你好-ünï_x", depth: 2, text: "你好 Ünï_x" },
    ]);
  });

  test("a heading without a letter still has an id", () => {
    expect(html("# !!!")).toBe('<h1 id="h-section">!!!</h1>');
  });

  test.each(["location", "Cookie", "Body", "forms", "getElementById"])(
    "no heading takes the name of what a page's script looks up: %s",
    (title) => {
      expect(html(`# ${title}`)).toBe(`<h1 id="h-${title.toLowerCase()}">${title}</h1>`);
    },
  );

  test("links within a text find their heading, by its name and by its id", () => {
    const out = html("# My *Location*\n\n[a](#my-location) [b](#h-my-location) [c](#nowhere) [d](#%6Dy-location)\n\n## 你好\n\n[e](#你好)");
    const targets = [...out.matchAll(/href="([^"]+)"/g)].map(([, href]) => decodeURIComponent(href!));
    expect(targets).toEqual(["#h-my-location", "#h-my-location", "#nowhere", "#h-my-location", "#h-你好"]);
  });

  test("a heading goes before an id of the writer's own", () => {
    expect(html('# Spot\n\n<span id="spot">x</span> [to](#spot)')).toContain('<a href="#h-spot">');
  });

  test("a heading cannot take the id of a footnote", () => {
    expect(html("# user-content-fn-1")).toContain('id="h-user-content-fn-1"');
  });

  test("a heading in raw HTML gets an id of ours, not its own", () => {
    expect(html('<h2 id="cookie">Raw</h2>')).toBe('<h2 id="h-raw">Raw</h2>');
    expect(renderMarkdown("<h2>Raw</h2>").headings).toEqual([{ id: "h-raw", depth: 2, text: "Raw" }]);
  });
});

describe("footnotes", () => {
  test("are numbered by first reference, with a way back from the note to each reference", () => {
    const out = html("b[^second] a[^1] again[^second]\n\n[^1]: One\n[^second]: Two **bold**\n\n    more");
    expect(out).toContain('b<sup class="footnote-ref"><a href="#user-content-fn-1" id="user-content-fnref-1">1</a></sup>');
    expect(out).toContain('again<sup class="footnote-ref"><a href="#user-content-fn-1" id="user-content-fnref-1-2">1</a></sup>');
    expect(out).toMatch(
      /<section class="footnotes">\n<ol>\n<li id="user-content-fn-1"><p>Two <strong>bold<\/strong><\/p>\n<p>more .*fnref-1-2/,
    );
    expect(out).toContain('<li id="user-content-fn-2"><p>One <a href="#user-content-fnref-2"');
  });

  test("a reference to no note stays text, and a note nobody refers to is left out", () => {
    expect(html("a[^x]\n\n[^y]: unused")).toBe("<p>a[^x]</p>");
  });

  test("a note inside a list or a quote is moved to the end too", () => {
    expect(html("- a[^n]\n\n  [^n]: note\n- b")).toMatch(/<\/ul>\n<section class="footnotes">/);
  });

  test("numbers and arrows are no part of the text", () => {
    expect(renderMarkdown("a[^1]\n\n[^1]: note").text).toBe("a\nnote");
  });
});

describe("callouts", () => {
  test.each(["note", "tip", "info", "warning", "danger"])("%s with a title, and Markdown inside", (kind) => {
    expect(html(`:::${kind}[A *title*]\n- item\n:::`)).toBe(
      `<aside class="callout callout-${kind}"><p class="callout-title">A <em>title</em></p>\n<ul><li>item</li>\n</ul>\n</aside>`,
    );
  });

  test("without a title there is none", () => {
    expect(html(":::note\ntext\n:::")).toBe('<aside class="callout callout-note"><p>text</p>\n</aside>');
  });

  test("one stands inside another, with as many colons", () => {
    expect(html(":::note\na\n\n:::tip\nb\n:::\n\nc\n:::\nd")).toBe(
      '<aside class="callout callout-note"><p>a</p>\n<aside class="callout callout-tip"><p>b</p>\n</aside>\n<p>c</p>\n</aside>\n<p>d</p>',
    );
  });

  test("colons in a code block close nothing", () => {
    expect(html(":::note\n```\n:::\n```\nb\n:::\nc")).toMatch(/<p>b<\/p>\n<\/aside>\n<p>c<\/p>$/);
  });

  test("one that is never closed reaches to the end of the list item it stands in", () => {
    expect(html("- :::note\n  a\n- b")).toMatch(/a<\/p>\n<\/aside>\n<\/li>\n<li>b<\/li>/);
  });

  test("a name that is none of ours stays text", () => {
    expect(html(":::aside[T]{a=b}\ntext\n:::")).toBe("<p>:::aside[T]{a=b}\ntext\n:::</p>");
  });
});

test.each([
  "10:30",
  ":smile:",
  "a:b[c]{d}",
  "::",
  ":::",
  "::nothing{id=1}",
  "::youtube",
  "::youtube{id=short}",
  "::youtube{id=dQw4w9WgXcQ} and more",
  "x ::youtube{id=dQw4w9WgXcQ}",
  ":note[x]",
])("text with colons comes out as typed: %s", (markdown) => {
  expect(html(markdown)).toBe(`<p>${markdown}</p>`);
});

describe("raw HTML", () => {
  test("keeps what the allow-list knows, and its text where it does not", () => {
    expect(html('<kbd>Ctrl</kbd> <blink>old</blink> <sub style="x" onclick="y">2</sub>')).toBe("<p><kbd>Ctrl</kbd> old <sub>2</sub></p>");
  });

  test("Markdown between raw tags is Markdown", () => {
    expect(html("<details open>\n<summary>More</summary>\n\n**b**\n\n</details>")).toBe(
      '<details open="">\n<summary>More</summary>\n<p><strong>b</strong></p>\n</details>',
    );
  });

  test("a tag left open ends with the block it stands in", () => {
    expect(html("- a <b>bold\n- b")).toBe("<ul><li>a <b>bold</b></li>\n<li>b</li>\n</ul>");
  });

  test("a closing tag cannot break out of the block it stands in", () => {
    expect(html(":::note\na </aside></p> b\n:::")).toBe('<aside class="callout callout-note"><p>a  b</p>\n</aside>');
  });

  test("nor can it close a raw element that stands around that block", () => {
    expect(html("<div>\n\n- a </div> b\n- c\n\n</div>\n\nd")).toBe("<div>\n<ul><li>a  b</li>\n<li>c</li>\n</ul>\n</div>\n<p>d</p>");
  });

  test("scripts, styles and comments vanish with their content, and swallow nothing after them", () => {
    expect(html("<script>\nalert(1)\n</script>\n\n<style>\np {}\n</style>\n\n<!-- c -->\n\nrest")).toMatch(/^<p>rest<\/p>$/);
    expect(html("a <style> b\n\nc")).toContain("<p>c</p>");
  });

  test("ids are prefixed, and links to them follow", () => {
    expect(html('<span id="spot">x</span> <a name="old">y</a> [to](#spot) [old](#old)')).toBe(
      '<p><span id="user-content-spot">x</span> <a id="user-content-old">y</a> <a href="#user-content-spot">to</a> <a href="#user-content-old">old</a></p>',
    );
  });
});

describe("figures", () => {
  const image = (attributes = "") => `<img src="/a.png" alt="alt"${attributes} loading="lazy" decoding="async">`;
  const figure = (width: string, caption: string) =>
    `<figure class="stet-figure${width}">${image()}${caption === "" ? "" : `<figcaption>${caption}</figcaption>`}</figure>`;
  test.each([
    ['![alt](/a.png "A caption")', figure("", "A caption")],
    ["![alt](/a.png 'A caption'){.wide}", figure(" stet-figure-wide", "A caption")],
    ["![alt](/a.png){.full}", figure(" stet-figure-full", "")],
    ['![alt][a]{.full}\n\n[a]: /a.png "Shared"', figure(" stet-figure-full", "Shared")],
    ['![alt](/a.png "<b onclick=x>\\"</figcaption>&amp;lt;")', figure("", '&lt;b onclick=x&gt;"&lt;/figcaption&gt;&amp;lt;')],
    ['![alt](/a.png "two\n  lines &amp; a tab&#9;")', figure("", "two lines &amp; a tab")],
    ['![alt](/a.png "{.wide} \\\\ **no** https://example.com")', figure("", "{.wide} \\ **no** https://example.com")],
    [
      '[![alt](/a.png "C")](/b){.wide}',
      `<figure class="stet-figure stet-figure-wide"><a href="/b">${image()}</a><figcaption>C</figcaption></figure>`,
    ],
    ['- ![alt](/a.png "C")', `<ul><li>${figure("", "C")}\n</li>\n</ul>`],
    // As they were before there were figures.
    ["![alt](/a.png)", `<p>${image()}</p>`],
    ['![alt](/a.png " ")', `<p>${image(' title=" "')}</p>`],
    ['![alt](/a.png "t") and words', `<p>${image(' title="t"')} and words</p>`],
    ["![alt](/a.png)\\{.wide}", `<p>${image()}{.wide}</p>`],
    ["![alt](/a.png)&#123;.wide}", `<p>${image()}{.wide}</p>`],
    ["![alt](/a.png) {.wide}", `<p>${image()} {.wide}</p>`],
    ["![alt](/a.png){.wide} {.full}", `<p>${image()}{.wide} {.full}</p>`],
    ["![alt](/a.png){.huge}", `<p>${image()}{.huge}</p>`],
    ["# ![alt](/a.png){.wide}", `<h1 id="h-alt-wide">${image()}{.wide}</h1>`],
    ["words{.wide}", "<p>words{.wide}</p>"],
  ])("%j", (markdown, expected) => {
    expect(html(markdown)).toBe(expected);
  });

  test("the caption is read, searched and counted, and passes the sanitiser with its figure", () => {
    const { html: written, text, wordCount } = renderMarkdown('![Loaf](/a.png "Out of the oven"){.wide}\n\nWords.');
    expect([text, wordCount]).toEqual(["Loaf\nOut of the oven\nWords.", 6]);
    expect(sanitizeHtml(written)).toBe(written);
    expect(sanitizeHtml('<figure class="stet-figure x stet-figure-huge" style="width:9em"><figcaption onclick="x">a')).toBe(
      '<figure class="stet-figure"><figcaption>a</figcaption></figure>',
    );
  });

  test("one that ends a note is a figure too, with the way back after it", () => {
    expect(html('a[^1]\n\n[^1]: ![alt](/a.png "C"){.wide}')).toContain(
      `${figure(" stet-figure-wide", "C")}\n <a href="#user-content-fnref-1"`,
    );
  });
});

describe("links and images", () => {
  test.each([
    "https://a.example/x?y=1&amp;z",
    "http://a.example",
    "mailto:a@b.example",
    "tel:+31201234567",
    "/path",
    "../up",
    "#part",
    "?q=1",
    "//cdn.example/x",
  ])("%s is a link", (url) => {
    expect(html(`[x](${url})`)).toBe(`<p><a href="${url}">x</a></p>`);
  });

  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "data:text/html,x",
    "vbscript:x",
    "file:///etc/passwd",
    "java&#10;script:alert(1)",
    "&#106;avascript:alert(1)",
  ])("%s is no link", (url) => {
    expect(html(`[x](${url})`)).not.toContain("href");
    expect(html(`<a href="${url}">x</a>`)).toBe("<p><a>x</a></p>");
  });

  test("links carry no rel, unless they open a window or the writer says so", () => {
    expect(html("[x](https://a.example)")).not.toContain("rel");
    expect(html('<a href="/x" target="_blank">x</a>')).toContain('target="_blank" rel="noopener noreferrer"');
    expect(html('<a href="/x" rel="sponsored opener">x</a>')).toContain('rel="sponsored"');
  });

  test("images load late, and one that may not be shown leaves its words", () => {
    expect(html('A ![a *cat*](/cat.png "T")')).toBe('<p>A <img src="/cat.png" alt="a cat" title="T" loading="lazy" decoding="async"></p>');
    expect(html("![words](mailto:a@b.example)")).toBe("<p>words</p>");
    expect(html('<img src="data:image/png;base64,x" alt="words">')).toContain("words");
  });
});

describe("the rendering", () => {
  test("says which renderer made it", () => {
    expect(renderMarkdown("x").rendererVersion).toBe(RENDERER_VERSION);
  });

  test("its text has every word once, one line a block", () => {
    const { text } = renderMarkdown(
      "# A\n\nb *c* `d`\n\n- e\n- f\n\n| g | h |\n|---|---|\n| i | j |\n\n![k](/x)\n\n```\nl\n```\n\n<p>m &amp; n</p>",
    );
    expect(text).toBe("A\nb c d\ne\nf\ng\nh\ni\nj\nk\nl\nm & n");
  });

  test("an empty body takes a minute and no words", () => {
    expect(renderMarkdown("")).toMatchObject({ html: "", text: "", wordCount: 0, readingMinutes: 1, headings: [] });
  });
});
