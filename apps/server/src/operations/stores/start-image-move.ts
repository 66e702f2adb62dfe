import { websiteOperation } from "../kernel/operation.ts";
import { isLeaving, requireOwnImageStore, requireStore } from "./helpers/own-store.ts";
import { type ImageStoreView, viewStore } from "./helpers/store-view.ts";

export const startImageMove = websiteOperation({
  name: "start_image_move",
  summary: "Move the images of a website to its own image storage. They are served throughout; it goes on by itself.",
  permission: "store.manage",
  input: {},
  async run(context): Promise<ImageStoreView> {
    const { services, website, workspace, now } = context;
    await services.platform.locked(workspace.id, async (platform) => {
      await requireOwnImageStore(platform, context);
      if ((await requireStore(platform, context)).state === "leaving") throw isLeaving();
      await platform.moves.start(website.id, "images", "out", now);
    });
    return viewStore(services.platform, website.id);
  },
  changes: "nothing",
  activity: ({ website }, _, { store, managed }) => ({
    target: { id: website.id, label: website.name },
    details: { place: store?.place ?? "", images: managed.files },
  }),
});
