import { expect, test } from "vitest";
import { newId } from "#domain/ids";
import { mediaIdsOf } from "#domain/media-ids";

const [one, two, three] = [newId("media"), newId("media"), newId("media")];

test("the cover and every image of the body count, each once", () => {
  const body = `![](/media/site/${two}/a.png) text <img src="https://cdn.example.com/media/${three}.webp?w=2"> ![](/media/${two}/b.png)`;
  expect(mediaIdsOf({ body, coverMediaId: one })).toEqual([one, two, three]);
  expect(mediaIdsOf({ body, coverMediaId: two })).toEqual([two, three]);
  expect(mediaIdsOf({ body: "media_ media_nothing media_UPPER", coverMediaId: null })).toEqual([]);
});

test("a body of 1 MiB that looks like nothing but ids is read in one pass", () => {
  expect(mediaIdsOf({ body: "media_".repeat(170_000), coverMediaId: null })).toEqual([]);
});
