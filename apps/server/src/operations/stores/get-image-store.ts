import { websiteOperation } from "../kernel/operation.ts";
import { type ImageStoreView, viewStore } from "./helpers/store-view.ts";

export const getImageStore = websiteOperation({
  name: "get_image_store",
  summary: "Show where the images of a website lie, and how far moving them is.",
  permission: "store.manage",
  input: {},
  run: ({ services, website }): Promise<ImageStoreView> => viewStore(services.platform, website.id),
  activity: "none",
});
