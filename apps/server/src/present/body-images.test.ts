import { describe, expect, test } from "vitest";
import type { MediaId, WebsiteId } from "#domain/ids";
import { renderMarkdown } from "#domain/markdown/render";
import type { Media } from "#domain/media";
import { buildMedia } from "#test/builders";
import { withVariants } from "./body-images.ts";

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

  test("that moves, or is small, has its size and no choice", () => {
    expect(shown(`![](${url})`, image({ contentType: "image/gif" }))).toContain(`<img src="${url}" width="1000" height="600" alt=""`);
    expect(shown(`![](${url})`, image({ width: 160, height: 90 }))).toContain(`<img src="${url}" width="160" height="90" alt=""`);
  });

  test.each([
    ["is not there any more", null],
    ["has an address that a database made up", image({ url: `${url}?x, https://evil.example/a.png` })],
    ["has a size that a database made up", image({ width: 0 })],
  ])("that %s stays as it is", (_, media) => {
    expect(shown(`![a](${url})`, media)).toBe(renderMarkdown(`![a](${url})`).html);
  });
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
