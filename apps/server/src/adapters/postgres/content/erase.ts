import type { ContentStore } from "#ports/content-store";
import type { Connection } from "./connection.ts";
import { raw, sql } from "./sql.ts";

/**
 * Tables that readers see are erased first. With each table, its key after the website. The counters stay, because answers that are kept
 * depend on them also where the content lies elsewhere; they go with the record of the website.
 */
const TABLES = [
  ["posts", "id"],
  ["post_counts", "status"],
  ["facet_counts", "facet"],
  ["facet_counting", "after_post_id"],
  ["live_facets", "facet, post_id"],
  ["working_facets", "facet, post_id"],
  ["revisions", "post_id, id"],
  ["terms", "id"],
  ["media", "id"],
  ["records_beside", "id"],
  ["slug_claims", "space, slug"],
  ["content_changes", "kind, post_id, id"],
] as const;

/** Small transactions, so that a large website does not hold anything up while it goes. */
export function eraseWebsite(connection: Connection): ContentStore["eraseWebsite"] {
  return (websiteId, limit) =>
    connection.transaction(async (transaction) => {
      await transaction.rows(sql`SELECT FROM website_content WHERE website_id = ${websiteId} FOR UPDATE`);
      let left = limit;
      for (const [name, key] of TABLES) {
        const [table, columns] = [raw(name), raw(key)];
        const gone = await transaction.rows(sql`
          DELETE FROM ${table} WHERE website_id = ${websiteId} AND (${columns}) IN (
            SELECT ${columns} FROM ${table} WHERE website_id = ${websiteId} LIMIT ${left}
          ) RETURNING website_id`);
        left -= gone.length;
        if (left === 0) return false;
      }
      return true;
    });
}
