import { expect, test } from "vitest";
import { newId } from "#domain/ids";
import { mediaIdsIn } from "./media-ids.ts";

const [a, b, c] = [newId("media"), newId("media"), newId("media")];

test("finds the images a body shows, however they are written, each once and in order", () => {
  const body = `![x](/media/site_1/${b}/w800.webp)

<img src="https://blog.example/media/${a}.png?w=1"> and ![again][ref] ![x](/media/${b})

[ref]: https://cdn.example/media/x/${c}-large.jpg`;
  expect(mediaIdsIn(body)).toEqual([b, a, c]);
});

test("an id in code, in a link, elsewhere in an address or of the wrong form is no image", () => {
  expect(
    mediaIdsIn(
      `\`![x](/media/${a})\` [x](/media/${a}) ![x](/other/${a}) ![x](/x?y=/media/${a}) ![x](/media/media_${"z".repeat(26)}) ![x](/media/${a}0)`,
    ),
  ).toEqual([]);
});
