import { MINUTE, timestamp } from "#domain/time";
import { eachOf } from "#operations/kernel/each-of";
import type { Services } from "#operations/kernel/services";
import { removeFile } from "#operations/media/helpers/store-file";
import { ago, eachSafely } from "./sweeps.ts";

const BATCH = 100;
const AT_ONCE = 8;
/** Longer than any upload or removal takes. */
const SETTLED_AFTER = 10 * MINUTE;

/** Brings files to their end that a crash left between coming and staying, or between leaving and gone: the record decides. */
export async function settleFiles(services: Services): Promise<number> {
  const { mediaFiles } = services.platform;
  const now = timestamp(services.clock());
  const files = await mediaFiles.claimUnsettled(ago(services, SETTLED_AFTER), now, BATCH);
  const items = files.map((file) => ({ ...file, id: file.mediaId }));
  const settle = async (file: (typeof items)[number]) => {
    const { websiteId, mediaId, state } = file;
    const website = await services.platform.websites.get(websiteId);
    // Erasing a website takes all its files.
    if (!website) return false;
    const media = await services.contents.withContent(website, (content) => content.media.get(websiteId, mediaId));
    if (media) await mediaFiles.keep(websiteId, mediaId, state, now);
    else await removeFile(services, file);
    return true;
  };
  // Websites side by side: one whose database does not answer keeps no other waiting.
  let done = 0;
  await eachOf([...Map.groupBy(items, (file) => file.websiteId).values()], AT_ONCE, async (ofOne) => {
    done += await eachSafely(services, ofOne, "settled", settle);
  });
  return done;
}
