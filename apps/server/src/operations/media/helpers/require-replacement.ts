import { fail } from "#domain/failure";
import type { Media } from "#domain/media";

/** An image can take another's place where readers can see it. */
export function requireReplacement(media: Media): Media {
  if (media.deletedAt === null) return media;
  throw fail("INVALID_TRANSITION", "The new image is in the trash. Restore it first, or upload another.", { deletedAt: media.deletedAt });
}
