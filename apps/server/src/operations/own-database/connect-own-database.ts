import { fail, Failure } from "#domain/failure";
import { NO_TROUBLE } from "#domain/own-database";
import { websiteOperation } from "../kernel/operation.ts";
import { markerOf, sealConnection } from "./helpers/connection.ts";
import { homeNow, requireOwnDatabases } from "./helpers/require.ts";
import { type OwnDatabaseView, viewDatabase } from "./helpers/view.ts";
import { connectionInput } from "./test-own-database.ts";

/** Also how the password of a database that is in use is changed: the same hosts and database keep everything else. */
export const connectOwnDatabase = websiteOperation({
  name: "connect_own_database",
  summary: "Connect a database of one's own, or change its password. It is tested first; nothing is saved when the test fails.",
  permission: "store.manage",
  input: connectionInput,
  async run(context, connection): Promise<OwnDatabaseView> {
    const { services, website, workspace, now } = context;
    await requireOwnDatabases(services.platform, context);
    const { shown } = services.ownDatabases.read(connection);
    const report = await services.ownDatabases.test(connection, await markerOf(services, website), website.home.kind === "own");
    if (!report.passed) {
      const { message, step } = report;
      throw new Failure("VALIDATION_FAILED", `The database was not connected. ${message}`, { step }, [{ field: "url", message }]);
    }
    await services.platform.locked(workspace.id, async (platform) => {
      await requireOwnDatabases(platform, context);
      const before = await platform.ownDatabases.get(website.id);
      const isSame = before?.shown === shown;
      if (before && !isSame) {
        if ((await homeNow(platform, context)).home.kind === "own")
          throw fail(
            "INVALID_TRANSITION",
            `The content of this website is stored in ${before.shown}. Disconnect it first, then connect another one.`,
          );
        for (const subject of ["content", "left content"] as const) await platform.moves.stop(website.id, subject);
      }
      await platform.ownDatabases.put({
        websiteId: website.id,
        connection: sealConnection(services.seals, website.id, connection),
        shown,
        serverVersion: report.serverVersion,
        switches: isSame && before.switches,
        connectedAt: isSame ? before.connectedAt : now,
        activatedAt: isSame ? before.activatedAt : null,
        ...NO_TROUBLE,
      });
    });
    return viewDatabase(services, website.id);
  },
  changes: "access",
  activity: ({ website }, _, { database }) => ({
    target: { id: website.id, label: website.name },
    details: { database: database?.shown ?? "" },
  }),
});
