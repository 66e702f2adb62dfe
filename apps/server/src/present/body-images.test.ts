import { describe, expect, test } from "vitest";
import type { MediaId, WebsiteId } from "#domain/ids";
import { renderMarkdown } from "#domain/markdown/render";
import type { Media } from "#domain/media";
import { buildMedia } from "#test/builders";
import { mediaIdsIn, withVariants } from "./body-images.ts";

const websiteId = "site_01h455vb4pex5vsknk084sn02q" as WebsiteId;
const id = "media_01h455vb4pex5vsknk084sn02q" as MediaId;
const url = `/media/${websiteId}/${id}.jpg`;
const image = (overrides: Partial<Media> = {}): Media =>
  buildMedia(1, { websiteId, id, url, width: 1000, height: 600, contentType: "image/jpeg", ...overrides });
const shown = (markdown: string, media: Media | null = image()) => withVariants(renderMarkdown(markdown).html, websiteId, () => media);
const srcset = [160, 320, 480, 640, 800, 960, 1280].map((width) => `${url}?w=${width} ${Math.min(width, 1000)}w`).join(", ");

describe("an image of ours in a body", () => {
  test("can be chosen by width, has its room kept, and is loaded when it is needed", () => {
    expect(shown(`![A "loaf" > bread](${url})`)).toBe(
      `<p><img src="${url}" srcset="${srcset}" sizes="(min-width: 800px) 800px, 100vw" width="1000" height="600" alt="A &quot;loaf&quot; &gt; bread" loading="lazy" decoding="async"></p>\n`,
    );
  });

  test.each([
    ['width="300"', 'height="180"', "(min-width: 300px) 300px, 100vw"],
    ['height="300"', 'width="500"', "(min-width: 500px) 500px, 100vw"],
    ['width="10" height="20"', "", "(min-width: 10px) 10px, 100vw"],
    ['width="50%"', "", "(min-width: 800px) 800px, 100vw"],
  ])("keeps the size that was written: %s", (given, added, sizes) => {
    const html = shown(`<img src="${url}" ${given}>`);
    expect(html).toContain(` ${given}`);
    expect(html.match(/ (?:width|height)="/g)).toHaveLength(`${given} ${added}`.trim().split(" ").length);
    if (added) expect(html).toContain(` ${added}`);
    expect(html).toContain(`sizes="${sizes}"`);
  });

  test.each([
    ["", "(min-width: 800px) 800px, 100vw"],
    ["{.wide}", "(min-width: 1200px) 1200px, 100vw"],
    ["{.full}", "100vw"],
  ])("is chosen by the width of its figure: %s", (width, sizes) => {
    const large = image({ width: 3000, height: 2000 });
    for (const markdown of [`![a](${url} "C")${width}`, `[![a](${url} "C")](/b?x=1&y=%3E)${width}`]) {
      const html = shown(markdown, large);
      expect(html).toContain(` sizes="${sizes}" width="3000" height="2000" alt="a"`);
      expect(html.replace(/ srcset="[^"]*" sizes="[^"]*" width="3000" height="2000"/, "")).toBe(renderMarkdown(markdown).html);
      expect(mediaIdsIn(html, websiteId)).toEqual([id]);
    }
    expect(shown(`![a](${url} "C"){.wide}`)).toContain('sizes="(min-width: 1000px) 1000px, 100vw"');
  });

  test("that moves, or is small, has its size and no choice", () => {
    const gif = url.replace("jpg", "gif");
    expect(shown(`![](${gif})`, image({ contentType: "image/gif" }))).toContain(`<img src="${gif}" width="1000" height="600" alt=""`);
    expect(shown(`![](${url})`, image({ width: 160, height: 90 }))).toContain(`<img src="${url}" width="160" height="90" alt=""`);
  });

  test.each([
    ["is not there any more", null],
    ["has a type that a database made up", image({ contentType: "text/html" })],
    ["has a size that a database made up", image({ width: 0 })],
  ])("that %s stays as it is", (_, media) => {
    expect(shown(`![a](${url})`, media)).toBe(renderMarkdown(`![a](${url})`).html);
  });
});

test("an address that a database made up is shown nowhere: it follows from the id", () => {
  const html = shown(`![a](${url})`, image({ url: `${url}?x, https://evil.example/a.png` }));
  expect(html).toContain(`src="${url}" srcset="${srcset}"`);
  expect(html).not.toContain("evil");
});

test("an image that is cropped and rotated has the address, the widths and the size of what is shown", () => {
  const edit = { revision: 3, focalPoint: null, crop: { x: 0, y: 0, width: 0.5, height: 1 }, rotation: 90 } as const;
  const html = shown(`![a](${url})`, image({ edit }));
  const address = url.replace(".jpg", ".3.jpg");
  expect(html).toContain(`<img src="${address}" srcset="${address}?w=160 160w, ${address}?w=320 320w, `);
  expect(html).toContain(`${address}?w=640 600w" sizes="(min-width: 600px) 600px, 100vw" width="600" height="500"`);
});

test("what is quoted, of another website or somebody else's is not touched", () => {
  for (const markdown of [
    `\`<img src="${url}">\``,
    `![a](/media/site_01h455vb4pex5vsknk084sn02r/${id}.jpg)`,
    `![a](https://elsewhere.example${url})`,
    `![a](${url}?w=640)`,
    `![<img src="${url}">](https://elsewhere.example/a.png)`,
  ]) {
    expect(shown(markdown)).toBe(renderMarkdown(markdown).html);
  }
});
