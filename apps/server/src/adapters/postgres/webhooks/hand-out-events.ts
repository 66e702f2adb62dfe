import type { EventType } from "@stet/contract";
import type { EventId, PostId, WebhookId, WebsiteId } from "#domain/ids";
import type { WebhookStatus } from "#domain/webhook";
import { foldWhole } from "#domain/fold";
import type { DeliveryQueue } from "#ports/webhooks";
import type { Database, Queryable } from "../database.ts";
import { all, one, run } from "../platform/scope.ts";

interface EndpointRow extends Record<string, unknown> {
  id: WebhookId;
  events: readonly EventType[];
  debounce_seconds: number;
  status: WebhookStatus;
  after_sequence: number;
}
interface EventRow extends Record<string, unknown> {
  sequence: number;
  id: EventId;
  type: EventType;
  post_id: PostId;
  /** Null for a post that was never live. */
  title: string | null;
}

/** Those that were put back lie ahead by far more than the second that is left for rounding and for the clocks of two transactions. */
const IS_BEHIND = "behind_at IS NOT NULL AND behind_at < clock_timestamp() + interval '1 second'";

/**
 * In one transaction: a worker that dies in the middle has handed out nothing, and the next one begins at the same event. The feed's row is
 * held throughout, so an event logged meanwhile waits a moment and marks it behind again.
 */
export const handOut =
  (database: Database): DeliveryQueue["handOut"] =>
  async (now, newId, limit) => {
    let websiteId: WebsiteId | null = null;
    const taken = database.transaction(async (connection) => {
      const feed = await one<{ website_id: WebsiteId; sequence: number }>(
        connection,
        `SELECT website_id, sequence FROM webhook_feeds WHERE ${IS_BEHIND} ORDER BY behind_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
        [],
      );
      if (!feed) return null;
      websiteId = feed.website_id;
      const events = await all<EventRow>(
        connection,
        `SELECT sequence, id, event->>'type' AS type, event->>'postId' AS post_id,
           event->'post'->'content'->>'title' AS title
         FROM events WHERE website_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3`,
        [feed.website_id, feed.sequence, limit],
      );
      // Held too: an endpoint that is being paused must not find something in line afterwards.
      const endpoints = await all<EndpointRow>(
        connection,
        "SELECT id, events, debounce_seconds, status, after_sequence FROM webhooks WHERE website_id = $1 ORDER BY id FOR NO KEY UPDATE",
        [feed.website_id],
      );
      await insert(connection, feed.website_id, now, newId, events, endpoints);
      await run(
        connection,
        // A full batch goes to the end of the line, so that one busy website does not keep the others waiting.
        "UPDATE webhook_feeds SET sequence = $2, behind_at = CASE WHEN $3 THEN clock_timestamp() END WHERE website_id = $1",
        [feed.website_id, events.at(-1)?.sequence ?? feed.sequence, events.length === limit],
      );
      return events.length;
    });
    return taken.catch((error: unknown) => putBack(database, websiteId, error));
  };

/** A website whose events are faulty must not block the others for ever: those are other people's. */
async function putBack(database: Database, websiteId: WebsiteId | null, error: unknown): Promise<never> {
  if (websiteId === null) throw error;
  const later = `UPDATE webhook_feeds SET behind_at = clock_timestamp() + interval '15 seconds'
    WHERE website_id = $1 AND behind_at IS NOT NULL`;
  // Where the database is away, what it said first says more.
  await run(database, later, [websiteId]).catch(() => 0);
  throw new Error(`The events of ${websiteId} could not be handed out; they are tried again in 15 seconds`, { cause: error });
}

async function insert(
  connection: Queryable,
  websiteId: WebsiteId,
  now: string,
  newId: () => string,
  events: readonly EventRow[],
  endpoints: readonly EndpointRow[],
): Promise<void> {
  const wanted = events.flatMap((event) =>
    endpoints
      .filter((endpoint) => event.sequence > endpoint.after_sequence && endpoint.events.includes(event.type))
      .map((endpoint) => ({ event, endpoint })),
  );
  if (wanted.length === 0) return;
  await run(
    connection,
    `INSERT INTO webhook_deliveries
       (website_id, id, webhook_id, event_id, sequence, event_type, post_id, title, title_key, status, ready_at, created_at)
     SELECT $1, id, webhook_id, event_id, sequence, event_type, post_id, title, title_key, status,
            $2::timestamptz + make_interval(secs => wait), $2
     FROM unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::int[])
       AS wanted (id, webhook_id, event_id, sequence, event_type, post_id, title, title_key, status, wait)
     ON CONFLICT (website_id, webhook_id, event_id) DO NOTHING`,
    [
      websiteId,
      now,
      wanted.map(() => newId()),
      wanted.map(({ endpoint }) => endpoint.id),
      wanted.map(({ event }) => event.id),
      wanted.map(({ event }) => event.sequence),
      wanted.map(({ event }) => event.type),
      wanted.map(({ event }) => event.post_id),
      wanted.map(({ event }) => event.title),
      wanted.map(({ event }) => event.title && foldWhole(event.title)),
      // Events are kept while an endpoint is paused or off, so that they can be sent when it is switched on again.
      wanted.map(({ endpoint }) => (endpoint.status === "paused" || endpoint.status === "off" ? "missed" : "waiting")),
      wanted.map(({ endpoint }) => endpoint.debounce_seconds),
    ],
  );
  await run(
    connection,
    // The worker that serves it now looks again before giving it back. One that is failing waits for its next probe; without anything in
    // line none was planned, and this is it.
    `UPDATE webhooks SET due_at = CASE status WHEN 'active' THEN least(due_at, ready_at) ELSE coalesce(due_at, greatest(probe_at, ready_at)) END
     FROM (SELECT id AS wanted_id, $2::timestamptz + make_interval(secs => wait) AS ready_at
           FROM unnest($3::text[], $4::int[]) AS woken (id, wait)) AS woken
     WHERE website_id = $1 AND id = wanted_id AND status IN ('active', 'failing') AND lease_holder IS NULL`,
    [
      websiteId,
      now,
      [...new Set(wanted.map(({ endpoint }) => endpoint.id))],
      [...new Set(wanted.map(({ endpoint }) => endpoint))].map((endpoint) => endpoint.debounce_seconds),
    ],
  );
}
