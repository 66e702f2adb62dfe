import type { Connections } from "#ports/connections";
import type { Database } from "../database.ts";
import { calls } from "./calls.ts";
import { grants } from "./grants.ts";
import { standings } from "./in-force.ts";
import { toolSaves } from "./saves.ts";
import { spends } from "./spends.ts";

export const openPostgresConnections = (database: Database): Connections => ({
  ...grants(database),
  ...standings(database),
  ...calls(database),
  ...spends(database),
  saves: toolSaves(database),
});
