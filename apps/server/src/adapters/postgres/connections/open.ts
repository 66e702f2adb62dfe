import type { Connections } from "#ports/connections";
import type { Database } from "../database.ts";
import { calls } from "./calls.ts";
import { grants } from "./grants.ts";
import { spends } from "./spends.ts";
import { toolSaves } from "./saves.ts";

export const openPostgresConnections = (database: Database): Connections => ({
  ...grants(database),
  ...calls(database),
  ...spends(database),
  saves: toolSaves(database),
});
