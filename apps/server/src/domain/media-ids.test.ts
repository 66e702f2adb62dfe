import { expect, test } from "vitest";
import { facetsOf } from "#domain/facets";
import { newId } from "#domain/ids";
import { mediaIdsOf } from "#domain/media-ids";
import { buildContent } from "#test/builders";

const [one, two, three] = [newId("media"), newId("media"), newId("media")];
const contentOf = (content: Parameters<typeof buildContent>[1]) => buildContent(0, { coverMediaId: null, ...content });

test("the cover and every image of the body count, each once", () => {
  const body = `![](/media/site/${two}/a.png) text <img src="https://cdn.example.com/media/${three}.webp?w=2"> ![](/media/${two}/b.png)`;
  expect(mediaIdsOf(contentOf({ body, coverMediaId: one }))).toEqual([one, two, three]);
  expect(mediaIdsOf(contentOf({ body, coverMediaId: two }))).toEqual([two, three]);
  expect(mediaIdsOf(contentOf({ body: "media_ media_nothing media_UPPER" }))).toEqual([]);
});

test("what is shared and what custom fields name counts, also in a post whose ids were kept without it", () => {
  const seo = { ...contentOf({}).seo, ogImageUrl: `https://blog.example/media/site/${two}.png` };
  const fields = { hero: `/media/site/${three}.2.webp`, gallery: [{ images: [one, `"${two}"`, 7, null] }] };
  const content = contentOf({ body: `![](/media/site/${three}.webp)`, seo, fields });
  expect(mediaIdsOf(content)).toEqual([two, three, one]);
  expect(facetsOf(content, [])).toEqual(expect.arrayContaining([one, two, three]));
});

test("a body of 1 MiB that looks like nothing but ids is read in one pass", () => {
  expect(mediaIdsOf(contentOf({ body: "media_".repeat(170_000) }))).toEqual([]);
});
