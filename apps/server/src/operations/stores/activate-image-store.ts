import { websiteOperation } from "../kernel/operation.ts";
import { applyImageBase } from "./helpers/image-base.ts";
import { isLeaving, requireOwnImageStore, requireStore } from "./helpers/own-store.ts";
import { type ImageStoreView, viewStore } from "./helpers/store-view.ts";

export const activateImageStore = websiteOperation({
  name: "activate_image_store",
  summary: "Let new images of a website go to its own image storage; what is still with Stet is moved there.",
  permission: "store.manage",
  input: {},
  async run(context): Promise<ImageStoreView> {
    const { services, website, workspace, now } = context;
    // Under the lock that uploads take: each goes wholly to the store before, or to this one.
    await services.platform.locked(workspace.id, async (platform) => {
      await requireOwnImageStore(platform, context);
      const store = await requireStore(platform, context);
      if (store.state === "leaving") throw isLeaving();
      await platform.ownImageStores.setState(website.id, "active", store.activatedAt ?? now);
      if ((await platform.mediaFiles.sums(website.id)).managed.files > 0) await platform.moves.start(website.id, "images", "out", now);
      await applyImageBase(platform, website.id);
    });
    return viewStore(services.platform, website.id);
  },
  changes: "access",
  activity: ({ website }, _, { store }) => ({ target: { id: website.id, label: website.name }, details: { place: store?.place ?? "" } }),
});
