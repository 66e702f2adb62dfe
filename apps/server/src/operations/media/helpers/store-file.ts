import { createHash } from "node:crypto";
import { fail, Failure } from "#domain/failure";
import type { Media } from "#domain/media";
import { fileKey, type MediaFile } from "#domain/media-file";
import { planWords } from "#domain/plan-words";
import { fits } from "#domain/plans";
import { timestamp } from "#domain/time";
import type { ReadFile } from "#ports/media-ledger";
import { currentPlan } from "../../kernel/current-plan.ts";
import type { InWebsite } from "../../kernel/operation.ts";
import type { Services } from "../../kernel/services.ts";

export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** How a file is on record once its bytes were read, or are about to be written. */
export const readFile = (services: Pick<Services, "clock">, media: Media, bytes: Uint8Array, store: MediaFile["store"]): ReadFile => ({
  websiteId: media.websiteId,
  mediaId: media.id,
  contentType: media.contentType,
  bytes: bytes.byteLength,
  sha256: sha256Of(bytes),
  store,
  trashed: media.deletedAt !== null,
  changedAt: timestamp(services.clock()),
});

/**
 * Stores an image: its room in the ledger first, then the bytes, then the record. A crash in between leaves a file that is "expected", and
 * a sweep keeps or removes it; never a record whose image is missing. A refusal is answered, not thrown: only then is it certain that
 * nothing was stored.
 */
export async function storeFile(context: InWebsite, media: Media, bytes: Uint8Array, isSample = false): Promise<Failure | null> {
  const { services, content } = context;
  const { mediaFiles } = services.platform;
  const file = readFile(services, media, bytes, services.images.current);
  const refusal = await takeRoom(context, file, isSample);
  if (refusal) return refusal;
  try {
    await services.images.of(file.store).put(fileKey(file), bytes, file.contentType);
  } catch (error) {
    await removeFile(services, { ...file, state: "expected" });
    throw error;
  }
  try {
    await content.media.insert(media);
  } catch (error) {
    // Nobody knows whether there is a record, and the sweep asks for it; unless the tool that uploads was disconnected meanwhile.
    if (!(error instanceof Failure && error.code === "GRANT_FORBIDS")) throw error;
    await removeFile(services, { ...file, state: "expected" });
    return error;
  }
  if (await mediaFiles.keep(file.websiteId, file.mediaId, "expected", timestamp(services.clock()))) return null;
  // It took so long that the sweep removed the file.
  await content.media.delete(media.websiteId, media.id, media.version);
  throw fail("UNAVAILABLE", "The image could not be stored in time. Upload it again.");
}

/**
 * Under the lock of the workspace, so that uploads at the same moment cannot exceed the plan together. Inside it only the ledger is
 * asked, which lies in the same database as the lock: no other database or store can hold the workspace up.
 */
function takeRoom({ services, workspace }: InWebsite, file: ReadFile, isSample: boolean): Promise<Failure | null> {
  return services.platform.locked(workspace.id, async (platform) => {
    const plan = await currentPlan(platform, workspace);
    const allowed = services.plans[plan].storageBytes;
    const stored = [...(await platform.mediaFiles.totals(workspace.id)).values()].reduce((sum, bytes) => sum + bytes, 0);
    // What an import that was killed left of this image is replaced.
    const replaced = (await platform.mediaFiles.get(file.websiteId, file.mediaId))?.bytes ?? 0;
    const used = stored - replaced;
    if (!isSample && !fits(used + file.bytes, allowed)) {
      return fail(
        "PLAN_LIMIT",
        `The image does not fit into the workspace's image storage. Delete images, also from the trash, or ${planWords(plan).getMore}.`,
        { limit: "storageBytes", plan, allowed, used, bytes: file.bytes },
      );
    }
    if (await platform.mediaFiles.expect(file)) return null;
    return fail("UNAVAILABLE", "An image with this id is being removed right now. Try again in a few minutes.");
  });
}

/** Removes a file unless somebody changed it meanwhile. What fails here is told of, and the sweep tries it again. */
export async function removeFile(services: Pick<Services, "platform" | "images" | "clock" | "onTrouble">, file: MediaFile): Promise<void> {
  const { mediaFiles } = services.platform;
  try {
    if (file.state !== "leaving" && !(await mediaFiles.leave(file, timestamp(services.clock())))) return;
    await services.images.of(file.store).delete(fileKey(file));
    await mediaFiles.remove(file.websiteId, file.mediaId);
  } catch (error) {
    services.onTrouble(`The file ${fileKey(file)} could not be removed; it is tried again`, error);
  }
}
