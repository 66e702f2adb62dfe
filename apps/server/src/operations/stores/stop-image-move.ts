import { fail } from "#domain/failure";
import { websiteOperation } from "../kernel/operation.ts";
import { applyImageBase } from "./helpers/image-base.ts";
import { type ImageStoreView, viewStore } from "./helpers/store-view.ts";

/** Images stay where they are by then, and are served from there. A store that was being left is in use again. */
export const stopImageMove = websiteOperation({
  name: "stop_image_move",
  summary: "Stop moving the images of a website. Images stay where they are by then; moving can go on later.",
  permission: "store.manage",
  input: {},
  async run({ services, website, workspace }): Promise<ImageStoreView> {
    await services.platform.locked(workspace.id, async (platform) => {
      const store = await platform.ownImageStores.get(website.id);
      const isStopped = await platform.moves.stop(website.id, "images");
      if (!isStopped && store?.state !== "leaving") throw fail("INVALID_TRANSITION", "No images are being moved.");
      if (store?.state !== "leaving") return;
      await platform.ownImageStores.setState(website.id, store.activatedAt ? "active" : "connected", store.activatedAt);
      await applyImageBase(platform, website.id);
    });
    return viewStore(services.platform, website.id);
  },
  changes: "access",
  activity: ({ website }, _, { store, own }) => ({
    target: { id: website.id, label: website.name },
    details: { place: store?.place ?? "", images: own.files },
  }),
});
