import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { LIMITS } from "@stet/contract";
import { renderMarkdown } from "#domain/markdown/render";
import { readImage } from "#domain/image";
import { isSlug, slugFrom } from "#domain/slug";
import { imageBytes, IMAGE_NAMES, imageId } from "./images.ts";
import { samplePost } from "./sample-post.ts";
import { topics } from "./topics.ts";

const posts = Array.from({ length: 10_000 }, (_, index) => samplePost(index));
const bodies = [...new Set(posts.map((post) => post.content.body))];
const repeated = (values: readonly string[]) => values.length - new Set(values).size;

describe("sample posts", () => {
  test("are the same in every install", () => {
    const print = createHash("sha256")
      .update(JSON.stringify(posts.slice(0, 1_000)))
      .digest("hex");
    // Changing the samples is fine, but never by accident: bench results and screenshots are compared across versions.
    expect(print).toBe("c9b939a002817b4213eacb931f640abf4632d1201f2c1108ad76c67477ab89c9");
  });

  test("a post does not depend on how many are made", () => {
    expect(samplePost(417)).toEqual(posts[417]);
  });

  test("ten thousand have distinct ids and slugs, within the limits", () => {
    expect(repeated(posts.map((post) => post.id))).toBe(0);
    expect(repeated(posts.map((post) => post.content.slug))).toBe(0);
    expect(posts.filter((post) => !isSlug(post.content.slug))).toEqual([]);
    expect(posts.filter((post) => post.content.title.length > LIMITS.titleCharacters)).toEqual([]);
  });

  test("a hundred of them already hold equal titles with differing slugs, and equal timestamps", () => {
    const first = posts.slice(0, 100);
    expect(repeated(first.map((post) => post.content.title))).toBe(4);
    expect(repeated(first.map((post) => post.publishedAt))).toBe(5);
    const echo = first[24]!.content;
    expect(echo.slug).toBe(`${slugFrom(echo.title)}-2`);
    expect(first[17]!.content.title).toBe(echo.title);
  });

  test("lie in the three years up to the last of October 2026, each created before published before updated", () => {
    const days = posts.map((post) => post.publishedAt.slice(0, 10)).sort();
    expect(days[0]! >= "2023-11-01" && days[0]! < "2023-11-05").toBe(true);
    expect(days.at(-1)).toBe("2026-10-31");
    for (const { createdAt, publishedAt, updatedAt } of posts) {
      expect(createdAt < publishedAt && (updatedAt === null || updatedAt >= publishedAt)).toBe(true);
    }
    expect(posts.filter((post) => post.updatedAt !== null).length).toBeGreaterThan(1_000);
  });

  test("some are featured, some have SEO fields, most have a cover, some titles are beyond ASCII", () => {
    const count = (holds: (post: (typeof posts)[number]) => boolean) => posts.filter(holds).length;
    expect(count((post) => post.content.featured)).toBeGreaterThan(500);
    expect(count((post) => post.content.seo.title !== null)).toBeGreaterThan(1_000);
    expect(count((post) => post.content.coverMediaId !== null)).toBeGreaterThan(8_000);
    for (const script of [/\p{Script=Han}/u, /\p{Extended_Pictographic}/u, /[äöüß]/, /[éèçã]/]) {
      expect(count((post) => script.test(post.content.title))).toBeGreaterThan(10);
    }
  });

  test("thirteen topics with what a magazine has: each renders to headings, and all kinds of blocks occur", () => {
    expect(topics().map((topic) => topic.titles.length)).toEqual(Array(13).fill(12));
    expect(bodies.length).toBeGreaterThan(250);
    const htmls = bodies.map((body) => {
      const { headings, html, wordCount } = renderMarkdown(body);
      expect(headings.length).toBeGreaterThanOrEqual(5);
      expect(wordCount).toBeGreaterThan(350);
      expect(wordCount).toBeLessThan(1_500);
      // What the renderer did not understand would stand in the text.
      expect(html).not.toMatch(/:::|::youtube|\[\^|image:|(?:<|&lt;)!-- (?:section|close|intro) /);
      return html;
    });
    const all = htmls.join("");
    for (const part of [
      "<table>",
      "<pre>",
      "<blockquote>",
      "<ol>",
      "<ul>",
      "<img ",
      "callout-tip",
      "callout-warning",
      "youtube",
      "footnote",
    ]) {
      expect(all, part).toContain(part);
    }
  });

  test("their images are real PNG files of a few kilobytes", () => {
    expect(new Set(IMAGE_NAMES.map(imageId)).size).toBe(12);
    for (const name of IMAGE_NAMES) {
      const bytes = imageBytes(name);
      expect(readImage(bytes)).toMatchObject({ contentType: "image/png", width: 1_200, height: 630 });
      expect(bytes.byteLength).toBeLessThan(40_000);
    }
  });
});
