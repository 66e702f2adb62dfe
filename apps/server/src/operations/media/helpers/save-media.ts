import { isDeepStrictEqual } from "node:util";
import { fail } from "#domain/failure";
import { editOf, type ImageEdit, type NumberedEdit, UNEDITED, withoutRevision } from "#domain/image-edit";
import type { Media } from "#domain/media";
import type { ReaderEffect } from "#domain/reader-effect";
import type { Thing } from "../../kernel/hold-thing.ts";
import type { InWebsite } from "../../kernel/operation.ts";
import { rememberChange, type ThingChange } from "../../kernel/thing-changes.ts";
import { versionConflict } from "../../kernel/version-conflict.ts";
import { type MediaUse, type MediaView, mediaView } from "./media-view.ts";

/** An image with the fields that people change. */
export const mediaThing = ({ id, version, filename, alt, edit }: Media): Thing => ({
  id,
  label: filename,
  version,
  fields: { filename, alt, ...withoutRevision(edit ?? UNEDITED) },
});

/** The part of an image that a change can set back; where its bytes lie is none of it. */
export const changeable = ({ filename, alt, deletedAt, version, edit }: Media) => ({
  filename,
  alt,
  deletedAt,
  version,
  // Absent where there is none, as in the changes that versions before wrote down: they are compared.
  ...(edit && { edit: withoutRevision(edit) }),
});

type MediaChange = Partial<Pick<Media, "filename" | "alt" | "deletedAt">> & { readonly edit?: ImageEdit | null };

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
  { edit, ...change }: MediaChange,
  undoes?: ThingChange["undoes"],
): Promise<MediaView> {
  const { services, content, website, now } = context;
  const numbered = edit === undefined ? media.edit : await numberOf(context, media, edit);
  const next: Media = { ...media, ...change, edit: numbered, version: media.version + 1, updatedAt: now };
  await rememberChange(context, {
    targetId: media.id,
    version: media.version,
    before: changeable(media),
    after: changeable(next),
    ...(undoes && { undoes }),
  });
  if ((await content.media.save(next)) === "saved") {
    // Files are served by the ledger alone. What a crash leaves out here, the walk that compares it with the records finds.
    if (change.deletedAt !== undefined) {
      await services.platform.mediaFiles.setTrashed(website.id, media.id, change.deletedAt !== null);
      await services.signals.tellHere({ topic: "files", id: website.id });
    }
    return mediaView(next);
  }
  throw versionConflict("image", (await content.media.get(website.id, media.id))?.version ?? null);
}

/** The number comes first: with the record readers get the address that has it, and a number that no record has harms nobody. */
async function numberOf({ services }: InWebsite, media: Media, given: ImageEdit | null): Promise<NumberedEdit | null> {
  const edit = given && editOf(given);
  if (!edit || (media.edit && isDeepStrictEqual(edit, withoutRevision(media.edit)))) return edit && media.edit;
  const numbered = await services.platform.mediaFiles.addEdit(media.websiteId, media.id, edit);
  if (!numbered) throw fail("VALIDATION_FAILED", "This image was edited too many times. Upload it again as a new image.");
  return numbered;
}
