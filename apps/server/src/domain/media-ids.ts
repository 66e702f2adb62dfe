import { isId, type MediaId } from "#domain/ids";
import type { PostContent } from "#domain/post";

const ID_SHAPE = /media_[0-9a-z]{26}/g;

/**
 * The images of the media library that a post shows: those beside the body, and every id that stands in the body, since the address
 * of an image holds it. Reading the text instead of rendering it keeps autosaves cheap; an id quoted in a code block
 * counts too, which only makes "in use" more careful.
 */
export const mediaIdsOf = (content: Pick<PostContent, "body" | "coverMediaId" | "seo" | "fields">): readonly MediaId[] => [
  ...new Set([...mediaIdsBesideBody(content), ...idsIn(content.body)]),
];

/** The cover, and every id in what is shared and in the custom fields. */
export function mediaIdsBesideBody({
  coverMediaId,
  seo,
  fields,
}: Pick<PostContent, "coverMediaId" | "seo" | "fields">): readonly MediaId[] {
  const found = idsIn(JSON.stringify([seo, fields]));
  return coverMediaId ? [coverMediaId, ...found] : found;
}

function idsIn(text: string): readonly MediaId[] {
  const found: readonly string[] = text.match(ID_SHAPE) ?? [];
  return found.filter((id): id is MediaId => isId("media", id));
}
