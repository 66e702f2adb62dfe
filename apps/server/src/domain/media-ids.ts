import { isId, type MediaId } from "#domain/ids";
import type { PostContent } from "#domain/post";

const ID_SHAPE = /media_[0-9a-z]{26}/g;

/**
 * The images of the media library that a post shows: its cover, and every id that stands in the body, since the address
 * of an image holds it. Reading the text instead of rendering it keeps autosaves cheap; an id quoted in a code block
 * counts too, which only makes "in use" more careful.
 */
export function mediaIdsOf(content: Pick<PostContent, "body" | "coverMediaId">): readonly MediaId[] {
  const found: readonly string[] = content.body.match(ID_SHAPE) ?? [];
  const ids = new Set<MediaId>(found.filter((id): id is MediaId => isId("media", id)));
  return content.coverMediaId ? [content.coverMediaId, ...[...ids].filter((id) => id !== content.coverMediaId)] : [...ids];
}
