import { z } from "zod";
import type { TestReport } from "#ports/own-databases";
import { websiteOperation } from "../kernel/operation.ts";
import { markerOf } from "./helpers/connection.ts";
import { requireOwnDatabases } from "./helpers/require.ts";

export const connectionInput = { url: z.string().min(1).max(2_000), ca: z.string().min(1).max(100_000).nullable().default(null) };

export interface DatabaseTest {
  readonly report: TestReport;
  readonly shown: string;
  readonly leastPrivileges: string;
}

export const testOwnDatabase = websiteOperation({
  name: "test_own_database",
  summary: "Try whether a database can hold the content of a website; says which step fails. Nothing is saved.",
  permission: "store.manage",
  input: connectionInput,
  async run(context, connection): Promise<DatabaseTest> {
    const { services, website } = context;
    await requireOwnDatabases(services.platform, context);
    const { shown, leastPrivileges } = services.ownDatabases.read(connection);
    const report = await services.ownDatabases.test(connection, await markerOf(services, website), website.home.kind === "own");
    return { report, shown, leastPrivileges };
  },
  activity: "none",
});
