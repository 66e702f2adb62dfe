import { z } from "zod";
import { fail } from "#domain/failure";
import type { Platform } from "#ports/platform";
import { type InWebsite, websiteOperation } from "../kernel/operation.ts";
import { requireTypedName, typedName } from "../kernel/require-typed-name.ts";
import { applyImageBase } from "./helpers/image-base.ts";
import { requireStore } from "./helpers/own-store.ts";
import { type ImageStoreView, viewStore } from "./helpers/store-view.ts";

/**
 * Copies the images back and then leaves the store, whatever the plan has room for: only new uploads are refused by a quota. Nothing is
 * deleted in the store. Without copying, what lies only there is missing from then on; it is there again when the same store is connected.
 */
export const disconnectImageStore = websiteOperation({
  name: "disconnect_image_store",
  summary: "Disconnect the image storage of a website; its images are copied back first. Nothing is deleted in it.",
  permission: "store.manage",
  input: { withoutCopying: z.boolean().default(false), confirmName: typedName.optional() },
  async run(context, { withoutCopying, confirmName = "" }): Promise<ImageStoreView> {
    const { services, website, workspace, role, actor, now } = context;
    if (withoutCopying) {
      if (role !== "owner" && actor.type !== "system")
        throw fail(
          "INSUFFICIENT_ROLE",
          "Only the owner of the workspace can disconnect without copying, because images will be missing. Ask the owner.",
          {
            permission: "store.manage",
            role,
          },
        );
      requireTypedName(confirmName, website.name);
    }
    await services.platform.locked(workspace.id, async (platform) => {
      const store = await requireStore(platform, context);
      const { own } = await platform.mediaFiles.sums(website.id);
      if (withoutCopying || own.files === 0) await leaveNow(platform, context);
      else {
        await platform.ownImageStores.setState(website.id, "leaving", store.activatedAt);
        await platform.moves.start(website.id, "images", "back", now);
      }
      await applyImageBase(platform, website.id);
    });
    return viewStore(services.platform, website.id);
  },
  changes: "access",
  activity: ({ website }, { withoutCopying }, { own }) => ({
    target: { id: website.id, label: website.name },
    details: { withoutCopying, images: own.files },
  }),
});

async function leaveNow(platform: Platform, { website }: InWebsite): Promise<void> {
  await platform.moves.stop(website.id, "images");
  await platform.ownImageStores.remove(website.id);
}
