import { websiteOperation } from "../kernel/operation.ts";
import type { OwnDatabaseView } from "./helpers/view.ts";
import { moveOut } from "./start-content-move.ts";

export const activateOwnDatabase = websiteOperation({
  name: "activate_own_database",
  summary: "Let the content of a website lie in its own database, as soon as the rest is copied and everything was compared.",
  permission: "store.manage",
  input: {},
  run: (context): Promise<OwnDatabaseView> => moveOut(context, { switches: true }),
  changes: "access",
  activity: ({ website }, _, { database }) => ({
    target: { id: website.id, label: website.name },
    details: { database: database?.shown ?? "" },
  }),
});
