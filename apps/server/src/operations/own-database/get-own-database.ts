import { websiteOperation } from "../kernel/operation.ts";
import { type OwnDatabaseView, viewDatabase } from "./helpers/view.ts";

export const getOwnDatabase = websiteOperation({
  name: "get_own_database",
  summary: "Show where the content of a website lies, and how far moving it is.",
  permission: "store.manage",
  input: {},
  run: ({ services, website }): Promise<OwnDatabaseView> => viewDatabase(services, website.id),
  activity: "none",
});
