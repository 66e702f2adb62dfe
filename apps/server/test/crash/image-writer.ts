import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { createFindMediaFile } from "#delivery/media-file";
import { userActor } from "#domain/actor";
import type { UserId, WebsiteId } from "#domain/ids";
import { openInstallation } from "#main/compose";
import { readConfig } from "#main/config";
import { createLog } from "#main/log";
import { execute } from "#operations/kernel/execute";
import type { Services } from "#operations/kernel/services";
import { addMedia } from "#operations/media/add-media";
import { distinctImage } from "#test/images";
import { oneStore } from "#test/one-store";
import type { Step } from "./image-steps.ts";

/**
 * A service that takes in an image and makes a variant of it, and is killed at the step that it is told: not asked to end, and with nothing
 * done afterwards. Without a step it goes on until somebody kills it.
 */
const [userId, websiteId, first, step] = process.argv.slice(2) as [UserId, WebsiteId, string, Step | undefined];
const killAt = (here: Step): void => void (here === step && process.kill(process.pid, "SIGKILL"));
const after =
  <Arguments extends unknown[], Result>(here: Step, work: (...args: Arguments) => Promise<Result>) =>
  async (...args: Arguments): Promise<Result> => {
    const result = await work(...args);
    killAt(here);
    return result;
  };
const { rename } = fs;
fs.rename = async (from, to) => {
  killAt(String(from).includes("variants") ? "variant half written" : "bytes half written");
  return rename(from, to);
};
syncBuiltinESMExports();

const { services: opened } = await openInstallation(readConfig(), createLog("silent"), { role: "service", report: () => {} });
const { mediaFiles } = opened.platform;
const store = opened.images.of("disk");
const content = opened.contents.managed;
const services: Services = {
  ...opened,
  platform: {
    ...opened.platform,
    mediaFiles: { ...mediaFiles, keep: after("file kept", mediaFiles.keep) },
    // The room is taken under the lock, whose end is a commit: the kill comes after it.
    locked: after("room taken", (...args) => opened.platform.locked(...args)) as Services["platform"]["locked"],
  },
  images: { ...opened.images, of: () => ({ ...store, put: after("bytes written", (...args) => store.put(...args)) }) },
  contents: oneStore({ ...content, media: { ...content.media, insert: after("record written", (media) => content.media.insert(media)) } }),
  variantFiles: { ...opened.variantFiles, put: after("variant written", (...args) => opened.variantFiles.put(...args)) },
};
const find = createFindMediaFile(services);
for (let n = Number(first); ; n++) {
  const media = await execute(services, addMedia, userActor(userId), { websiteId, bytes: distinctImage(n), filename: "a.gif" });
  const file = await find(websiteId, media.url.split("/").at(-1)!, { width: 160, ratio: null, format: "webp" });
  await file!.open();
  console.log(media.id);
}
