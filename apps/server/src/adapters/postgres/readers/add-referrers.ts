import type { WebsiteId } from "#domain/ids";
import { dayOf, MOST_REFERRERS, OTHER_REFERRERS } from "#domain/reader-rules";
import { millis } from "#domain/time";
import type { View } from "#ports/reader-numbers";
import type { Queryable } from "../database.ts";
import { sumBy } from "../sum-by.ts";

/**
 * Counts the hosts that led here, at most so many distinct ones a website and day; the rest is `other`. The caller holds
 * the rows of reader_days, so nobody else adds a host to these days meanwhile.
 */
export async function addReferrers(connection: Queryable, views: readonly View[]): Promise<void> {
  const referred = views.flatMap(({ websiteId, at, referrer }) =>
    referrer === null ? [] : [{ websiteId, day: dayOf(millis(at)), referrer }],
  );
  if (referred.length === 0) return;
  const room = await roomLeft(connection, referred);
  const known = await knownHosts(connection, referred);
  const kept = referred.map(({ websiteId, day, referrer }): [WebsiteId, string, string] => {
    const websiteDay = `${websiteId} ${day}`;
    const host = `${websiteDay} ${referrer}`;
    if (!known.has(host)) {
      const left = room.get(websiteDay) ?? MOST_REFERRERS;
      if (left <= 0) return [websiteId, day, OTHER_REFERRERS];
      room.set(websiteDay, left - 1);
      known.add(host);
    }
    return [websiteId, day, referrer];
  });
  await connection.query({
    text: `INSERT INTO reader_referrers (website_id, day, referrer, views)
           SELECT * FROM unnest($1::text[], $2::date[], $3::text[], $4::bigint[])
           ON CONFLICT (website_id, day, referrer) DO UPDATE SET views = reader_referrers.views + excluded.views`,
    values: sumBy(kept, (key) => key).columns,
  });
}

interface Referred {
  readonly websiteId: WebsiteId;
  readonly day: string;
  readonly referrer: string;
}

/** How many hosts each website can still take on each day. */
async function roomLeft(connection: Queryable, referred: readonly Referred[]): Promise<Map<string, number>> {
  const [websites, days] = sumBy(referred, ({ websiteId, day }): [string, string] => [websiteId, day]).columns;
  const { rows } = await connection.query<{ websiteDay: string; hosts: number }>({
    text: `SELECT website_id || ' ' || day AS "websiteDay", count(*) AS hosts
           FROM unnest($1::text[], $2::date[]) AS asked (website_id, day) JOIN reader_referrers USING (website_id, day)
           WHERE referrer <> $3 GROUP BY website_id, day`,
    values: [websites, days, OTHER_REFERRERS],
  });
  return new Map(rows.map(({ websiteDay, hosts }) => [websiteDay, MOST_REFERRERS - hosts]));
}

async function knownHosts(connection: Queryable, referred: readonly Referred[]): Promise<Set<string>> {
  const [websites, days, hosts] = sumBy(referred, ({ websiteId, day, referrer }): [string, string, string] => [
    websiteId,
    day,
    referrer,
  ]).columns;
  const { rows } = await connection.query<{ host: string }>({
    text: `SELECT website_id || ' ' || day || ' ' || referrer AS host
           FROM unnest($1::text[], $2::date[], $3::text[]) AS asked (website_id, day, referrer)
           JOIN reader_referrers USING (website_id, day, referrer)`,
    values: [websites, days, hosts],
  });
  return new Set(rows.map((row) => row.host));
}
