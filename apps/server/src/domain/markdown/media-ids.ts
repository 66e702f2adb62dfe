import { isId } from "#domain/ids";
import type { MediaId } from "#domain/ids";
import { writeMarkdown } from "./render.ts";

/** The images of the media library that a body shows, each once, in order. */
export function mediaIdsIn(markdown: string): readonly MediaId[] {
  const ids = new Set<MediaId>();
  for (const url of writeMarkdown(markdown)?.imageUrls ?? []) {
    const id = mediaIdOf(url);
    if (id !== undefined && isId("media", id)) ids.add(id);
  }
  return [...ids];
}

/** Our images live at …/media/…; the id is in the path, whatever size or format is asked for. */
function mediaIdOf(url: string): string | undefined {
  const path = url.split(/[?#]/, 1)[0]!;
  const at = path.indexOf("/media/");
  return at === -1 ? undefined : /media_[0-9a-z]{26}(?![0-9a-z])/.exec(path.slice(at))?.[0];
}
