import type { Seals } from "#ports/keyring";
import { makeWebhookSecret } from "#domain/webhook-signature";
import type { Queryable } from "./database.ts";
import { all, run } from "./platform/scope.ts";

/**
 * Gives up what only other secrets open than those whose ids are given, so that the rest can be used: keys are revoked, links
 * and tokens void, keys of image stores and databases must be entered again, and webhooks get a secret that nobody knows yet, so they are paused until it is rolled.
 */
export async function voidSealedByOtherSecrets(connection: Queryable, ids: readonly string[], seals: Seals): Promise<void> {
  await run(connection, "UPDATE api_keys SET revoked_at = now() WHERE revoked_at IS NULL AND secret_id <> ALL ($1)", [ids]);
  await run(connection, "DELETE FROM invitations WHERE accepted_at IS NULL AND (secret_id IS NULL OR secret_id <> ALL ($1))", [ids]);
  await run(
    connection,
    `WITH gone AS (DELETE FROM oauth_records WHERE split_part(payload, '.', 2) <> ALL ($1) RETURNING grant_id)
     UPDATE connections SET revoked_at = now() FROM gone WHERE connections.id = gone.grant_id AND revoked_at IS NULL`,
    [ids],
  );
  // The files stay where they are: whoever has the key of the store enters it again.
  await run(connection, "UPDATE own_image_stores SET address = '' WHERE split_part(address, '.', 2) <> ALL ($1)", [ids]);
  await run(connection, "UPDATE own_databases SET connection = '' WHERE split_part(connection, '.', 2) <> ALL ($1)", [ids]);
  const lost = await all<{ website_id: string; id: string }>(
    connection,
    `SELECT website_id, id FROM webhooks
     WHERE split_part(secret, '.', 2) <> ALL ($1)
        OR EXISTS (SELECT FROM json_array_elements(previous_secrets) AS p WHERE split_part(p ->> 'secret', '.', 2) <> ALL ($1))`,
    [ids],
  );
  for (const { website_id, id } of lost) {
    await run(
      connection,
      `UPDATE webhooks SET secret = $3, previous_secrets = '[]', status = 'paused', probe_at = NULL, due_at = NULL
       WHERE website_id = $1 AND id = $2`,
      [website_id, id, seals.seal("webhook", id, makeWebhookSecret())],
    );
    await run(
      connection,
      "UPDATE webhook_deliveries SET status = 'missed' WHERE website_id = $1 AND webhook_id = $2 AND status = 'waiting'",
      [website_id, id],
    );
  }
}
