import { fail } from "#domain/failure";
import { type InWebsite, websiteOperation } from "../kernel/operation.ts";
import { positionToGoOn } from "./helpers/position.ts";
import { homeNow, requireDatabase, requireNoMove, requireOwnDatabases } from "./helpers/require.ts";
import { type OwnDatabaseView, viewDatabase } from "./helpers/view.ts";

/** Copies and compares. Nothing else changes: readers and writers go on with the install until the database is activated. */
export const startContentMove = websiteOperation({
  name: "start_content_move",
  summary: "Copy the content of a website to its own database and compare every record. It goes on by itself, and nothing switches yet.",
  permission: "store.manage",
  input: {},
  run: (context): Promise<OwnDatabaseView> => moveOut(context, { switches: false }),
  changes: "nothing",
  activity: ({ website }, _, { database }) => ({
    target: { id: website.id, label: website.name },
    details: { database: database?.shown ?? "" },
  }),
});

/** Begins to move the content there, or goes on with it; `switches` says whether it comes to lie there in the end. */
export async function moveOut(context: InWebsite, { switches }: { switches: boolean }): Promise<OwnDatabaseView> {
  const { services, website, workspace, now } = context;
  await services.platform.locked(workspace.id, async (platform) => {
    await requireOwnDatabases(platform, context);
    const database = await requireDatabase(platform, context);
    const current = await homeNow(platform, context);
    if (current.home.kind === "own") throw fail("INVALID_TRANSITION", "The content of this website is already in its own database.");
    await requireNoMove(platform, context, "left content");
    await platform.ownDatabases.setSwitches(website.id, switches);
    const last = await platform.moves.get(website.id, "content");
    await platform.moves.start(website.id, "content", "out", now, positionToGoOn(last, current, database));
  });
  return viewDatabase(services, website.id);
}
