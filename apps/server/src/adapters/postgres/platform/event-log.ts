import type { WebsiteId } from "#domain/ids";
import type { PostEvent } from "#domain/post";
import type { EventLog, LoggedEvent } from "#ports/platform";
import { type Fragment, sql } from "../content/sql.ts";
import type { Queryable } from "../database.ts";
import { all, one, run, type Scope } from "./scope.ts";

interface LoggedEventRow extends LoggedEvent, Record<string, unknown> {}

export const eventLog = (scope: Scope): EventLog => ({
  async append(events) {
    const byWebsite = Map.groupBy(events, (event) => event.websiteId);
    // Always in the same order: two writers that touch the same websites must not wait for each other in a ring.
    const websites = [...byWebsite.keys()].toSorted();
    if (websites.length === 0) return;
    await scope.atomically(async (connection) => {
      for (const websiteId of websites) await appendTo(connection, websiteId, byWebsite.get(websiteId)!);
    });
  },

  async list(websiteId, after, limit) {
    return all<LoggedEventRow>(
      scope,
      "SELECT sequence, event FROM events WHERE website_id = $1 AND sequence > $2 ORDER BY sequence LIMIT $3",
      [websiteId, after, limit],
    );
  },

  last: (websiteId) =>
    one<LoggedEventRow>(scope, "SELECT sequence, event FROM events WHERE website_id = $1 ORDER BY sequence DESC LIMIT 1", [websiteId]),

  async history(websiteId) {
    return (await one<{ history: number }>(scope, "SELECT history FROM event_sequences WHERE website_id = $1", [websiteId]))?.history ?? 0;
  },

  async beginHistory(websiteId) {
    await run(
      scope,
      `INSERT INTO event_sequences (website_id, last, history) VALUES ($1, 0, 1)
       ON CONFLICT (website_id) DO UPDATE SET history = event_sequences.history + 1`,
      [websiteId],
    );
  },

  forgetBefore: (before, limit) =>
    run(
      scope,
      `DELETE FROM events USING (
         SELECT website_id, sequence FROM events AS old
         WHERE at < $1 AND EXISTS (SELECT FROM events AS newer WHERE newer.website_id = old.website_id AND newer.sequence > old.sequence)
         ORDER BY at LIMIT $2
       ) AS old
       WHERE events.website_id = old.website_id AND events.sequence = old.sequence`,
      [before, limit],
    ),
});

/**
 * Steps of a statement that log events which nobody can have logged before, since they are made in it. `from` is a query of one row. The
 * counter's row is held until the commit here too.
 */
export function freshEventSteps(websiteId: WebsiteId, events: readonly PostEvent[], from: Fragment): readonly Fragment[] {
  if (events.length === 0) return [];
  const count = sql`${events.length}::bigint`;
  return [
    sql`sequenced AS (
      INSERT INTO event_sequences AS counter (website_id, last) SELECT ${websiteId}, ${count} FROM ${from}
      ON CONFLICT (website_id) DO UPDATE SET last = counter.last + excluded.last RETURNING last
    )`,
    sql`logged AS (
      INSERT INTO events (website_id, sequence, id, at, event)
      SELECT ${websiteId}, last - ${count} + position, id, at, event
      FROM sequenced, unnest(${events.map(({ id }) => id)}::text[], ${events.map(({ at }) => at)}::timestamptz[],
        ${events.map((event) => JSON.stringify(event))}::json[]) WITH ORDINALITY AS fresh (id, at, event, position)
    )`,
  ];
}

/**
 * The counter's row is locked first and held until the commit, so nobody can commit a higher sequence before a lower one:
 * a reader that has seen 7 will never find a 6 appear behind it. Only then is it asked what is there already, in a
 * statement of its own, which sees what the previous holder wrote.
 */
async function appendTo(connection: Queryable, websiteId: WebsiteId, events: readonly PostEvent[]): Promise<void> {
  const counter = await one<{ last: number }>(
    connection,
    `INSERT INTO event_sequences (website_id, last) VALUES ($1, 0)
     ON CONFLICT (website_id) DO UPDATE SET last = event_sequences.last RETURNING last`,
    [websiteId],
  );
  const ids = events.map((event) => event.id);
  const present = await all<{ id: string }>(connection, "SELECT id FROM events WHERE website_id = $1 AND id = ANY ($2)", [websiteId, ids]);
  const known = new Set<string>(present.map((row) => row.id));
  const fresh = events.filter((event) => !known.has(event.id) && known.add(event.id));
  if (fresh.length === 0) return;
  await run(
    connection,
    `INSERT INTO events (website_id, sequence, id, at, event)
     SELECT $1, $2 + position, id, at, event
     FROM unnest($3::text[], $4::timestamptz[], $5::json[]) WITH ORDINALITY AS fresh (id, at, event, position)`,
    [websiteId, counter!.last, fresh.map((event) => event.id), fresh.map((event) => event.at), fresh.map((event) => JSON.stringify(event))],
  );
  await run(connection, "UPDATE event_sequences SET last = $2 WHERE website_id = $1", [websiteId, counter!.last + fresh.length]);
}
