import { websiteOperation } from "../kernel/operation.ts";
import { type KeyView, keyView } from "./helpers/key-view.ts";

export const listKeys = websiteOperation({
  name: "list_keys",
  summary: "List the API keys of a website, masked; live ones first.",
  permission: "key.manage",
  input: {},
  run: async ({ services, website }): Promise<readonly KeyView[]> => (await services.platform.keys.list(website.id)).map(keyView),
  activity: "none",
});
