import type { PostId, WebsiteId } from "#domain/ids";
import { dayOf, VISIT_MILLIS } from "#domain/reader-rules";
import { millis } from "#domain/time";
import type { View } from "#ports/reader-numbers";
import type { Queryable } from "../database.ts";
import { addReferrers } from "./add-referrers.ts";
import { compareText, sumBy } from "../sum-by.ts";

/** Counts each visitor once, and adds to every number it is part of. Runs inside a transaction: all or nothing. */
export async function addViews(connection: Queryable, views: readonly View[]): Promise<number> {
  const counted = await firstVisits(connection, views);
  if (counted.length === 0) return 0;
  await addDays(connection, counted);
  await addReferrers(connection, counted);
  await addPosts(connection, counted);
  return counted.length;
}

/**
 * The views whose visitor was not counted in the half hour before. In a batch that waited long a visitor can be counted
 * more than once; a statement touches each row once, so those go in rounds.
 */
async function firstVisits(connection: Queryable, views: readonly View[]): Promise<readonly View[]> {
  const counted: View[] = [];
  let rest: readonly View[] = views.toSorted((left, right) => compareText(left.at, right.at));
  while (rest.length > 0) {
    const round = new Map<string, View>();
    const later: View[] = [];
    for (const view of rest) {
      const first = round.get(keyOf(view));
      if (!first) round.set(keyOf(view), view);
      else if (millis(view.at) - millis(first.at) >= VISIT_MILLIS) later.push(view);
    }
    let passed: readonly View[] = [...round.values()];
    const salts = Math.max(...passed.map((view) => view.visitors.length));
    // A view counts when its visitor is new under every salt in force. Over midnight the older one decides between nodes.
    for (let salt = 0; salt < salts && passed.length > 0; salt++) passed = await newUnder(connection, passed, salt);
    counted.push(...passed);
    rest = later;
  }
  return counted;
}

const keyOf = (view: View): string => `${view.websiteId} ${view.postId} ${view.visitors[0]}`;

/** Takes the row of each visitor, unless it was taken less than half an hour before: then the view is no new one. */
async function newUnder(connection: Queryable, views: readonly View[], salt: number): Promise<readonly View[]> {
  const asked = new Map<string, View>();
  for (const view of views) {
    const visitor = view.visitors[salt];
    if (visitor !== undefined) asked.set(`${view.websiteId} ${view.postId} ${visitor}`, view);
  }
  // Always in the same order: two nodes that count the same visitors must not wait for each other in a ring.
  const sorted = [...asked].toSorted(([left], [right]) => compareText(left, right));
  const { rows } = await connection.query<{ key: string }>({
    text: `INSERT INTO reader_visitors (website_id, post_id, visitor, counted_at)
           SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[])
           ON CONFLICT (website_id, post_id, visitor) DO UPDATE SET counted_at = excluded.counted_at
             WHERE excluded.counted_at >= reader_visitors.counted_at + make_interval(secs => $5)
           RETURNING website_id || ' ' || post_id || ' ' || visitor AS key`,
    values: [
      sorted.map(([, view]) => view.websiteId),
      sorted.map(([, view]) => view.postId),
      sorted.map(([, view]) => view.visitors[salt]),
      sorted.map(([, view]) => view.at),
      VISIT_MILLIS / 1_000,
    ],
  });
  const taken = new Set(rows.map((row) => row.key));
  return views.filter((view) => view.visitors[salt] === undefined || taken.has(`${view.websiteId} ${view.postId} ${view.visitors[salt]}`));
}

async function addDays(connection: Queryable, views: readonly View[]): Promise<void> {
  const sums = sumBy(views, (view): [WebsiteId, string] => [view.websiteId, dayOf(millis(view.at))]);
  await connection.query({
    text: `INSERT INTO reader_days (website_id, day, views) SELECT * FROM unnest($1::text[], $2::date[], $3::bigint[])
           ON CONFLICT (website_id, day) DO UPDATE SET views = reader_days.views + excluded.views`,
    values: sums.columns,
  });
}

async function addPosts(connection: Queryable, views: readonly View[]): Promise<void> {
  const perDay = sumBy(views, (view): [WebsiteId, PostId, string] => [view.websiteId, view.postId, dayOf(millis(view.at))]);
  await connection.query({
    text: `INSERT INTO reader_views (website_id, post_id, day, views) SELECT * FROM unnest($1::text[], $2::text[], $3::date[], $4::bigint[])
           ON CONFLICT (website_id, post_id, day) DO UPDATE SET views = reader_views.views + excluded.views`,
    values: perDay.columns,
  });
  const ever = sumBy(views, (view): [WebsiteId, PostId] => [view.websiteId, view.postId]);
  await connection.query({
    text: `INSERT INTO reader_totals (website_id, post_id, views) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
           ON CONFLICT (website_id, post_id) DO UPDATE SET views = reader_totals.views + excluded.views`,
    values: ever.columns,
  });
}
