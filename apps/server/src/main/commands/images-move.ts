import { moveImages } from "#worker/move-images";
import type { Command } from "../command.ts";
import { checkImages } from "../images.ts";
import { readArguments, stopIfWrong } from "./options.ts";
import { imagesMoveWebsite } from "./own-images.ts";
import { progress } from "./progress.ts";
import { say, withInstallation } from "./with-installation.ts";

const USAGE = "images move --install --to disk|s3";

/** `stet images move`: moves the files of all images to the disk or to the bucket, beside the running service or without one. */
export const imagesMove: Command = async (args) => {
  if (args.some((word) => /^--website(=|$)/.test(word))) return imagesMoveWebsite(args);
  const { values, flags, problems } = readArguments(args, { values: ["to"], flags: ["install"] });
  const to = values.get("to");
  if (!flags.has("install")) problems.push("--install is needed to move the images of all websites, or --website site_… for those of one.");
  if (to !== "disk" && to !== "s3") problems.push("--to must be disk or s3.");
  stopIfWrong(problems, USAGE);
  return withInstallation(async ({ services }) => {
    const { images, platform } = services;
    const target = to === "s3" ? "s3" : "disk";
    if (!images.names.includes(target))
      throw new Error("There is no bucket to move to. Set MEDIA_URL, and start the service with it first.");
    const fault = target === "s3" ? await checkImages(images.of(target)) : null;
    if (fault) throw new Error(`The bucket at MEDIA_URL does not do what it must. ${fault}`);
    const total = await platform.mediaFiles.countOutside(target);
    const report = progress("Moved", say);
    let done = 0;
    const { moved, faulty, unread } = await moveImages(services, target, { onFile: () => report((done += 1), total) });
    for (const key of faulty) say(`${key} is missing or damaged where it lies, and was left there.`);
    if (unread > 0)
      say(`${unread} from an older version have not been read yet. The running service does that; run this again in an hour.`);
    const left = await platform.mediaFiles.countOutside(target);
    process.stdout.write(
      `Moved ${moved} of ${total}. ${left === 0 ? "Everything lies there now." : `${left} lie elsewhere: run this again.`}\n`,
    );
    return left === 0 ? 0 : 1;
  });
};
