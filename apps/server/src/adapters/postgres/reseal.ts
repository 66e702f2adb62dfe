import type { WebsiteId } from "#domain/ids";
import { sealContext } from "#domain/oauth-record";
import { databaseSealContextOf } from "#domain/own-database";
import { sealContextOf } from "#domain/own-image-store";
import type { Seals } from "#ports/keyring";
import type { Database } from "./database.ts";
import { all, run } from "./platform/scope.ts";

const BATCH = 500;

/**
 * Seals anew, under the current secret, what an older one sealed. What changes meanwhile is left as it is, and so is what no
 * secret opens: whoever asks what still needs an older secret finds it.
 */
export async function resealAll(database: Database, seals: Seals, currentId: string): Promise<void> {
  await resealWebhooks(database, seals);
  await resealImageStores(database, seals);
  await resealDatabases(database, seals);
  await resealOauthRecords(database, seals, currentId);
}

type PreviousSecret = { readonly secret: string; readonly until: string };

async function resealWebhooks(database: Database, seals: Seals): Promise<void> {
  const anew = (id: string, sealed: string): string => {
    const text = seals.open("webhook", id, sealed);
    return text === null ? sealed : seals.seal("webhook", id, text);
  };
  const rows = await all<{ website_id: string; id: string; secret: string; previous_secrets: readonly PreviousSecret[] }>(
    database,
    "SELECT website_id, id, secret, previous_secrets FROM webhooks",
    [],
  );
  for (const { website_id, id, secret, previous_secrets } of rows) {
    const previous = previous_secrets.map((each) => ({ ...each, secret: anew(id, each.secret) }));
    await run(database, "UPDATE webhooks SET secret = $4, previous_secrets = $5 WHERE website_id = $1 AND id = $2 AND secret = $3", [
      website_id,
      id,
      secret,
      anew(id, secret),
      JSON.stringify(previous),
    ]);
  }
}

async function resealImageStores(database: Database, seals: Seals): Promise<void> {
  const rows = await all<{ website_id: WebsiteId; address: string }>(database, "SELECT website_id, address FROM own_image_stores", []);
  for (const { website_id, address } of rows) {
    const context = sealContextOf(website_id);
    const text = seals.open("credentials", context, address);
    if (text === null) continue;
    await run(database, "UPDATE own_image_stores SET address = $3 WHERE website_id = $1 AND address = $2", [
      website_id,
      address,
      seals.seal("credentials", context, text),
    ]);
  }
}

async function resealDatabases(database: Database, seals: Seals): Promise<void> {
  const rows = await all<{ website_id: WebsiteId; connection: string }>(database, "SELECT website_id, connection FROM own_databases", []);
  for (const { website_id, connection } of rows) {
    const context = databaseSealContextOf(website_id);
    const text = seals.open("credentials", context, connection);
    if (text === null) continue;
    await run(database, "UPDATE own_databases SET connection = $3 WHERE website_id = $1 AND connection = $2", [
      website_id,
      connection,
      seals.seal("credentials", context, text),
    ]);
  }
}

async function resealOauthRecords(database: Database, seals: Seals, currentId: string): Promise<void> {
  let after = ["", ""];
  for (;;) {
    const rows = await all<{ model: string; id_hash: string; payload: string }>(
      database,
      `SELECT model, id_hash, payload FROM oauth_records
       WHERE (model, id_hash) > ($1, $2) AND split_part(payload, '.', 2) <> $3 ORDER BY model, id_hash LIMIT $4`,
      [...after, currentId, BATCH],
    );
    for (const { model, id_hash, payload } of rows) {
      const context = sealContext(model, id_hash);
      const text = seals.open("oauth", context, payload);
      if (text === null) continue;
      await run(database, "UPDATE oauth_records SET payload = $4 WHERE model = $1 AND id_hash = $2 AND payload = $3", [
        model,
        id_hash,
        payload,
        seals.seal("oauth", context, text),
      ]);
    }
    const last = rows.at(-1);
    if (!last) return;
    after = [last.model, last.id_hash];
  }
}
