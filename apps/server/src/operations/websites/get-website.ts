import type { Website } from "#domain/website";
import { websiteOperation } from "../kernel/operation.ts";

export const getWebsite = websiteOperation({
  name: "get_website",
  summary: "Read a website: its settings, its style guide and its field definitions.",
  permission: "workspace.read",
  input: {},
  run: async ({ website }): Promise<Website> => website,
  activity: "none",
});
