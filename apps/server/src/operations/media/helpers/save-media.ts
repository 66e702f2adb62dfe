import type { Media } from "#domain/media";
import type { ReaderEffect } from "#domain/reader-effect";
import type { Thing } from "../../kernel/hold-thing.ts";
import type { InWebsite } from "../../kernel/operation.ts";
import { rememberChange, type ThingChange } from "../../kernel/thing-changes.ts";
import { versionConflict } from "../../kernel/version-conflict.ts";
import { type MediaUse, type MediaView, mediaView } from "./media-view.ts";

/** An image with the fields that people change. */
export const mediaThing = ({ id, version, filename, alt }: Media): Thing => ({ id, label: filename, version, fields: { filename, alt } });

/** The part of an image that a change can set back; where its bytes lie is none of it. */
export const changeable = ({ filename, alt, deletedAt, version }: Media) => ({ filename, alt, deletedAt, version });

/** How a change of the image reaches readers: through live posts, or as the portrait of an author. */
export async function mediaEffect(
  { content, website }: InWebsite,
  use: MediaUse,
  { id }: Media,
  effect: ReaderEffect,
): Promise<ReaderEffect | null> {
  const facets = [id, ...use.authors.map((author) => author.id)];
  const [posts = 0] = await content.posts.countLiveByFacet(website.id, [facets]);
  return posts > 0 ? effect : null;
}

/** Saves the next version, or says that someone else was first. */
export async function saveMedia(
  context: InWebsite,
  media: Media,
  change: Partial<Media>,
  undoes?: ThingChange["undoes"],
): Promise<MediaView> {
  const { services, content, website, now } = context;
  const next: Media = { ...media, ...change, version: media.version + 1, updatedAt: now };
  await rememberChange(context, {
    targetId: media.id,
    version: media.version,
    before: changeable(media),
    after: changeable(next),
    ...(undoes && { undoes }),
  });
  if ((await content.media.save(next)) === "saved") {
    // Files are served by the ledger alone. What a crash leaves out here, the walk that compares it with the records finds.
    if (change.deletedAt !== undefined) await services.platform.mediaFiles.setTrashed(website.id, media.id, change.deletedAt !== null);
    return mediaView(next);
  }
  throw versionConflict("image", (await content.media.get(website.id, media.id))?.version ?? null);
}
