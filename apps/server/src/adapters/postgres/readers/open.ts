import { randomBytes } from "node:crypto";
import type { PostId } from "#domain/ids";
import type { ReaderNumbers } from "#ports/reader-numbers";
import type { Database } from "../database.ts";
import { addViews } from "./add-views.ts";

/** Reader numbers in the service's own PostgreSQL. */
export function openPostgresReaders(database: Database, random: (bytes: number) => Buffer = randomBytes): ReaderNumbers {
  const rows = async <Row extends Record<string, unknown>>(text: string, values: unknown[]): Promise<Row[]> =>
    (await database.query<Row>({ text, values })).rows;

  return {
    add: (views) => (views.length === 0 ? Promise.resolve(0) : database.transaction((connection) => addViews(connection, views))),

    async saltOf(day) {
      // Whichever node is first makes it; the others find it.
      await rows("INSERT INTO reader_salts (day, salt) VALUES ($1, $2) ON CONFLICT DO NOTHING", [day, random(32).toString("base64url")]);
      const [row] = await rows<{ salt: string }>("SELECT salt FROM reader_salts WHERE day = $1", [day]);
      if (!row) throw new Error(`The salt of ${day} was forgotten while it was asked for.`);
      return row.salt;
    },

    async saltLeft(day) {
      const [row] = await rows<{ salt: string }>("SELECT salt FROM reader_salts WHERE day = $1", [day]);
      return row?.salt ?? null;
    },

    async forget(day, before, limit) {
      const [gone] = await rows<{ salts: number; visitors: number }>(
        `WITH salts AS (DELETE FROM reader_salts WHERE day < $1 RETURNING day),
         visitors AS (
           DELETE FROM reader_visitors WHERE ctid = ANY (ARRAY (
             SELECT ctid FROM reader_visitors WHERE counted_at < $2 ORDER BY counted_at LIMIT $3 FOR UPDATE SKIP LOCKED
           )) AND counted_at < $2 RETURNING website_id
         )
         SELECT (SELECT count(*) FROM salts) AS salts, (SELECT count(*) FROM visitors) AS visitors`,
        [day, before, limit],
      );
      return gone!.salts + gone!.visitors;
    },

    async forgetDays(day, limit) {
      // Every day of a website with views has its row in reader_days: it leads to the others, each by its own index.
      const [gone] = await rows<{ days: number }>(
        `WITH old AS (
           SELECT website_id, day FROM reader_days WHERE day < $1 ORDER BY day LIMIT $2 FOR UPDATE SKIP LOCKED
         ),
         posts AS (DELETE FROM reader_views USING old WHERE reader_views.website_id = old.website_id AND reader_views.day = old.day),
         hosts AS (DELETE FROM reader_referrers USING old WHERE reader_referrers.website_id = old.website_id AND reader_referrers.day = old.day),
         days AS (
           DELETE FROM reader_days USING old WHERE reader_days.website_id = old.website_id AND reader_days.day = old.day RETURNING old.day
         )
         SELECT count(*) AS days FROM days`,
        [day, limit],
      );
      return gone!.days;
    },

    async ofPost(websiteId, postId, since) {
      const found = await rows<{ views: number }>(
        `SELECT CASE WHEN since IS NULL
           THEN (SELECT views FROM reader_totals WHERE website_id = $1 AND post_id = $2)
           ELSE (SELECT sum(views)::bigint FROM reader_views WHERE website_id = $1 AND post_id = $2 AND day >= since) END AS views
         FROM unnest($3::date[]) WITH ORDINALITY AS asked (since, position) ORDER BY position`,
        [websiteId, postId, since],
      );
      return found.map((row) => row.views ?? 0);
    },

    async mostRead(websiteId, since, after, limit) {
      const source =
        since === null
          ? "reader_totals WHERE website_id = $1"
          : "(SELECT post_id, sum(views)::bigint AS views FROM reader_views WHERE website_id = $1 AND day >= $5 GROUP BY post_id) AS period WHERE true";
      return rows<{ postId: PostId; views: number }>(
        `SELECT post_id AS "postId", views FROM ${source}
           AND ($2::bigint IS NULL OR (views <= $2 AND (views < $2 OR post_id > $3)))
         ORDER BY views DESC, post_id LIMIT $4`,
        [websiteId, after?.views ?? null, after?.id ?? null, limit, ...(since === null ? [] : [since])],
      );
    },

    perDay: (websiteId, since) =>
      rows<{ day: string; views: number }>(
        "SELECT day::text AS day, views FROM reader_days WHERE website_id = $1 AND day >= $2 ORDER BY day",
        [websiteId, since],
      ),

    perDayOfPost: (websiteId, postId, since) =>
      rows<{ day: string; views: number }>(
        "SELECT day::text AS day, views FROM reader_views WHERE website_id = $1 AND post_id = $2 AND day >= $3 ORDER BY day",
        [websiteId, postId, since],
      ),

    // Each post by its own key: a website with many posts costs no more than one with few.
    ofPosts: (websiteId, postIds, since) =>
      rows<{ postId: PostId; total: number; recent: number }>(
        `SELECT post_id AS "postId", views AS total, coalesce((
           SELECT sum(days.views)::bigint FROM reader_views AS days
           WHERE days.website_id = $1 AND days.post_id = reader_totals.post_id AND days.day >= $3
         ), 0) AS recent
         FROM reader_totals WHERE website_id = $1 AND post_id = ANY ($2)`,
        [websiteId, postIds, since],
      ),

    referrers: (websiteId, since, limit) =>
      rows<{ referrer: string; views: number }>(
        `SELECT referrer, sum(views)::bigint AS views FROM reader_referrers WHERE website_id = $1 AND day >= $2
         GROUP BY referrer ORDER BY views DESC, referrer LIMIT $3`,
        [websiteId, since, limit],
      ),
  };
}
