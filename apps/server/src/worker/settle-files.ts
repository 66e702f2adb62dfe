import { MINUTE, timestamp } from "#domain/time";
import type { Services } from "#operations/kernel/services";
import { removeFile } from "#operations/media/helpers/store-file";
import { ago, eachSafely } from "./sweeps.ts";

const BATCH = 100;
/** Longer than any upload or removal takes. */
const SETTLED_AFTER = 10 * MINUTE;

/** Brings files to their end that a crash left between coming and staying, or between leaving and gone: the record decides. */
export async function settleFiles(services: Services): Promise<number> {
  const { mediaFiles } = services.platform;
  const now = timestamp(services.clock());
  const files = await mediaFiles.claimUnsettled(ago(services, SETTLED_AFTER), now, BATCH);
  const items = files.map((file) => ({ ...file, id: file.mediaId }));
  return eachSafely(services, items, "settled", async (file) => {
    const { websiteId, mediaId, state } = file;
    const media = await services.contentOf({ id: websiteId }).media.get(websiteId, mediaId);
    if (media) await mediaFiles.keep(websiteId, mediaId, state, now);
    else await removeFile(services, file);
  });
}
