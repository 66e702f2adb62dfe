import { z } from "zod";
import { fail, Failure } from "#domain/failure";
import { newId } from "#domain/ids";
import type { Media } from "#domain/media";
import { mediaKey, mediaUrl } from "#domain/media-address";
import { planWords } from "#domain/plan-words";
import { fits } from "#domain/plans";
import { millis } from "#domain/time";
import { lineOf } from "../kernel/inputs.ts";
import { type InWebsite, websiteOperation } from "../kernel/operation.ts";
import { currentPlan } from "../kernel/current-plan.ts";
import { filenameInput } from "./helpers/media-input.ts";
import { rememberChange } from "../kernel/thing-changes.ts";
import { type MediaView, mediaView } from "./helpers/media-view.ts";
import { changeable } from "./helpers/save-media.ts";
import { takeImage } from "./helpers/take-image.ts";

/**
 * Takes the bytes themselves, not a place where they lie: nothing is stored for someone who may not upload or has no room,
 * and nobody can name a file of somebody else.
 */
export const addMedia = websiteOperation({
  name: "add_media",
  summary: "Upload an image (PNG, JPEG, GIF, WebP or AVIF, up to 20 MB).",
  permission: "media.upload",
  input: {
    bytes: z.instanceof(Uint8Array, { error: "must be the bytes of the image" }),
    filename: filenameInput,
    alt: lineOf(500).default(""),
    /** Shown while the image loads; made from the pixels where the client gives none. */
    blurhash: z
      .string()
      .regex(/^[\w#$%*+,\-.:;=?@[\]^{|}~]{6,120}$/, "must be a blurhash")
      .nullable()
      .default(null),
  },
  run: (context, input): Promise<MediaView> => storeImage(context, input),
  changes: "content",
  activity: (_, __, media) => ({
    target: { id: media.id, label: media.filename },
    details: { contentType: media.contentType, bytes: media.bytes },
  }),
});

/** Also how an image comes in that lies at an address elsewhere. */
export async function storeImage(
  context: InWebsite,
  input: { bytes: Uint8Array; filename: string; alt: string; blurhash: string | null },
): Promise<MediaView> {
  const { services, website, by, now } = context;
  const { bytes, ...image } = await takeImage(services, input.bytes);
  const id = newId("media", millis(now));
  const storageKey = mediaKey(website.id, id, image.extension);
  const media: Media = {
    id,
    websiteId: website.id,
    version: 1,
    storageKey,
    url: mediaUrl(storageKey),
    filename: input.filename,
    contentType: image.contentType,
    bytes: bytes.byteLength,
    metadata: "stripped",
    width: image.width,
    height: image.height,
    blurhash: input.blurhash ?? image.blurhash,
    dominantColor: image.dominantColor,
    alt: input.alt,
    createdAt: now,
    createdBy: by,
    updatedAt: now,
    deletedAt: null,
  };
  // The bytes first: a crash leaves a file that nobody shows, never a record whose image is missing.
  await services.mediaFiles.put(storageKey, bytes, image.contentType);
  await rememberChange(context, { targetId: id, version: 0, before: null, after: changeable(media) });
  const refusal = await insertWithinQuota(context, media);
  if (refusal) {
    await services.mediaFiles.delete(storageKey).catch((error) => services.onTrouble(`The file ${storageKey} has no record`, error));
    throw refusal;
  }
  return mediaView(media);
}

/**
 * Under the lock of the workspace, so that uploads at the same moment cannot exceed the plan together. A refusal is
 * answered, not thrown: only then is it certain that nothing was recorded.
 */
export function insertWithinQuota({ services, workspace, content }: InWebsite, media: Media): Promise<Failure | null> {
  return services.platform.locked(workspace.id, async (platform) => {
    const plan = await currentPlan(platform, workspace);
    const allowed = services.plans[plan].storageBytes;
    let used = 0;
    for (const website of await platform.websites.list(workspace.id))
      used += await services.contentOf(website).media.totalBytes(website.id);
    if (!fits(used + media.bytes, allowed)) {
      return fail(
        "PLAN_LIMIT",
        `The image does not fit into the workspace's image storage. Delete images, also from the trash, or ${planWords(plan).getMore}.`,
        { limit: "storageBytes", plan, allowed, used, bytes: media.bytes },
      );
    }
    try {
      await content.media.insert(media);
      return null;
    } catch (error) {
      // The tool that uploads it was disconnected meanwhile: nothing was recorded.
      if (error instanceof Failure && error.code === "GRANT_FORBIDS") return error;
      throw error;
    }
  });
}
