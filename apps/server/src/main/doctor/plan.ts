import type { Database } from "#adapters/postgres/database";
import type { Config } from "../config.ts";
import { type Finding, warning } from "./finding.ts";

/** An install from before the plan `unlimited` began on `free`, also on one's own server; nothing but a command changes that. */
export async function checkPlan(database: Database, config: Pick<Config, "firstPlan" | "databaseUrl">): Promise<readonly Finding[]> {
  if (config.firstPlan !== "unlimited") return [];
  const { rows } = await database
    .query<{ id: string; name: string; plan: string }>({
      text: "SELECT id, name, plan FROM workspaces WHERE deleted_at IS NULL ORDER BY created_at, id LIMIT 1",
    })
    // A database that was never migrated has no workspaces.
    .catch(() => ({ rows: [] }));
  const first = rows[0];
  if (first?.plan !== "free") return [];
  const when = config.databaseUrl ? " Do it when all nodes run this version." : "";
  return [
    warning(
      `Plan: the first workspace, "${first.name}", has the limits of the free plan. If this server is your own, remove them: stet plan set ${first.id} unlimited.${when} If you host for others, set STET_DEFAULT_PLAN.`,
    ),
  ];
}
