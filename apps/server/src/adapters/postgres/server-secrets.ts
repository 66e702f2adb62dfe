import type { Queryable } from "./database.ts";
import { all, run } from "./platform/scope.ts";

/** A server secret that this database is used with, by its id, and a text that only this secret opens. */
export interface Canary {
  readonly id: string;
  readonly canary: string;
}

/** How many things that are still of use were made with a server secret. */
export interface SecretUse {
  readonly what: "project key" | "webhook" | "image storage" | "content database" | "connection record" | "invitation";
  /** Null: not known. */
  readonly secretId: string | null;
  readonly count: number;
}

/** Empty before the first start, and in a database that an older version left. */
export async function readCanaries(database: Queryable): Promise<readonly Canary[]> {
  return (await isThere(database, "server_secrets"))
    ? all<Canary & Record<string, unknown>>(database, "SELECT id, canary FROM server_secrets ORDER BY chosen_at, id", [])
    : [];
}

/** One node at a time decides which secrets are right, until its transaction ends. */
export const lockCanaries = (connection: Queryable): Promise<unknown> =>
  run(connection, "LOCK TABLE server_secrets IN SHARE ROW EXCLUSIVE MODE", []);

export async function addCanary(connection: Queryable, { id, canary }: Canary): Promise<void> {
  await run(connection, "INSERT INTO server_secrets (id, canary, chosen_at) VALUES ($1, $2, clock_timestamp())", [id, canary]);
}

export async function dropCanaries(connection: Queryable, ids: readonly string[]): Promise<void> {
  await run(connection, "DELETE FROM server_secrets WHERE id = ANY ($1)", [ids]);
}

export const forgetCanaries = (connection: Queryable): Promise<unknown> => run(connection, "DELETE FROM server_secrets", []);

/** From now on keys move to this secret with their next use. */
export async function chooseSecret(database: Queryable, id: string): Promise<void> {
  await run(database, "UPDATE server_secrets SET chosen_at = clock_timestamp() WHERE id = $1", [id]);
}

const MADE_WITH = {
  api_keys: "SELECT DISTINCT secret_id AS id FROM api_keys",
  webhooks: "SELECT DISTINCT split_part(secret, '.', 2) AS id FROM webhooks",
  own_image_stores: "SELECT DISTINCT split_part(address, '.', 2) AS id FROM own_image_stores WHERE address <> ''",
  own_databases: "SELECT DISTINCT split_part(connection, '.', 2) AS id FROM own_databases WHERE connection <> ''",
  oauth_records: "SELECT DISTINCT split_part(payload, '.', 2) AS id FROM oauth_records",
} as const;

/** The ids of the secrets that anything here was made with, whether it is still of use or not. Works on a schema of any version. */
export async function secretIdsInUse(database: Queryable): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const [table, text] of Object.entries(MADE_WITH)) {
    if (!(await isThere(database, table))) continue;
    for (const { id } of await all<{ id: string }>(database, text, [])) ids.add(id);
  }
  return ids;
}

/** Counts the things still in use, by the secret they were made with. */
export async function countSecretUses(database: Queryable): Promise<readonly SecretUse[]> {
  return all<SecretUse & Record<string, unknown>>(
    database,
    `SELECT what, secret_id AS "secretId", count(*) AS count FROM (
       SELECT 'project key' AS what, secret_id FROM api_keys JOIN live_websites ON live_websites.id = website_id WHERE revoked_at IS NULL
       UNION ALL
       SELECT 'webhook', split_part(sealed, '.', 2) FROM webhooks JOIN live_websites ON live_websites.id = website_id
         CROSS JOIN LATERAL (
           SELECT secret AS sealed
           UNION ALL
           SELECT previous ->> 'secret' FROM json_array_elements(previous_secrets) AS previous
           WHERE (previous ->> 'until')::timestamptz > now()
         ) AS secrets
       UNION ALL
       SELECT 'image storage', split_part(address, '.', 2) FROM own_image_stores JOIN live_websites ON live_websites.id = website_id
       WHERE address <> ''
       UNION ALL
       SELECT 'content database', split_part(connection, '.', 2) FROM own_databases JOIN live_websites ON live_websites.id = website_id
       WHERE connection <> ''
       UNION ALL
       SELECT 'connection record', split_part(payload, '.', 2) FROM oauth_records
       WHERE expires_at IS NULL OR expires_at > extract(epoch FROM now())
       UNION ALL
       SELECT 'invitation', secret_id FROM invitations JOIN live_workspaces ON live_workspaces.id = workspace_id
       WHERE accepted_at IS NULL AND expires_at > now()
     ) AS made GROUP BY what, secret_id ORDER BY what DESC, secret_id`,
    [],
  );
}

async function isThere(database: Queryable, table: string): Promise<boolean> {
  const [row] = await all<{ there: boolean }>(database, "SELECT to_regclass($1) IS NOT NULL AS there", [table]);
  return row!.there;
}
