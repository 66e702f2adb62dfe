import { isConfirmable, judgeMarker } from "#domain/content-marker";
import { fail } from "#domain/failure";
import { websiteOperation } from "../kernel/operation.ts";
import { requireTypedName, typedName } from "../kernel/require-typed-name.ts";
import { connectionOf, markerOf } from "./helpers/connection.ts";
import { takeUpToDate } from "./helpers/take-up-to-date.ts";
import { requireDatabase } from "./helpers/require.ts";
import { type OwnDatabaseView, viewDatabase } from "./helpers/view.ts";

export const confirmOwnDatabase = websiteOperation({
  name: "confirm_own_database",
  summary: "Say that the database of a website is the right one, after its marker was lost or the server got another address.",
  permission: "store.manage",
  input: { confirmName: typedName },
  async run(context, { confirmName }): Promise<OwnDatabaseView> {
    const { services, website } = context;
    requireTypedName(confirmName, website.name);
    const database = await requireDatabase(services.platform, context);
    const connection = connectionOf(services.seals, database);
    if (website.home.kind !== "own" || !connection)
      throw fail("INVALID_TRANSITION", "This website does not use its own database, or the address of the database must be entered again.");
    await services.ownDatabases.withCluster(website.id, connection, async (cluster) => {
      const ours = await markerOf(services, website);
      const judged = judgeMarker(await cluster.readMarker(), ours, true);
      if (judged.kind === "read only" && !isConfirmable(judged, true)) throw fail("INVALID_TRANSITION", judged.reason);
      await takeUpToDate(services, website, cluster);
    });
    return viewDatabase(services, website.id);
  },
  changes: "access",
  activity: ({ website }, _, { database }) => ({
    target: { id: website.id, label: website.name },
    details: { database: database?.shown ?? "" },
  }),
});
