import { fail } from "#domain/failure";
import { websiteOperation } from "../kernel/operation.ts";
import { homeNow, requireDatabase, requireNoMove } from "./helpers/require.ts";
import { type OwnDatabaseView, viewDatabase } from "./helpers/view.ts";

/** For a website that returned without its database, or was restored from an older backup, once the database answers and is connected again. */
export const fetchLeftContent = websiteOperation({
  name: "fetch_left_content",
  summary:
    "Fetch what a database has that was left without copying back. Posts stay as they are: other versions come into their history, missing posts come back unpublished. Nothing changes in the database.",
  permission: "store.manage",
  input: {},
  async run(context): Promise<OwnDatabaseView> {
    const { services, website, workspace, now } = context;
    await services.platform.locked(workspace.id, async (platform) => {
      await requireDatabase(platform, context);
      if ((await homeNow(platform, context)).home.kind === "own")
        throw fail("INVALID_TRANSITION", "This website already uses this database. There is nothing to fetch.");
      await requireNoMove(platform, context, "content");
      await platform.moves.start(website.id, "left content", "back", now);
    });
    return viewDatabase(services, website.id);
  },
  changes: "nothing",
  activity: ({ website }, _, { database }) => ({
    target: { id: website.id, label: website.name },
    details: { database: database?.shown ?? "" },
  }),
});
