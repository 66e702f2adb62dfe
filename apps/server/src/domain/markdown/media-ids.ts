import { isId } from "#domain/ids";
import type { MediaId } from "#domain/ids";
import { writeMarkdown } from "./render.ts";

/** Our images live at …/media/…; the id is in the path, whatever size or format is asked for. */
const IN_PATH = /\/media\/[^?#]*?(media_[0-9a-z]{26})(?![0-9a-z])/;

/** The images of the media library that a body shows, each once, in order. */
export function mediaIdsIn(markdown: string): readonly MediaId[] {
  const ids = new Set<MediaId>();
  for (const url of writeMarkdown(markdown)?.imageUrls ?? []) {
    const id = IN_PATH.exec(url)?.[1];
    if (id !== undefined && isId("media", id)) ids.add(id);
  }
  return [...ids];
}
