import type { WebsiteId } from "#domain/ids";
import type { Queryable } from "../database.ts";

/** For content that lies elsewhere: the number that caches depend on is kept here all the same. */
export async function raiseContentVersion(database: Queryable, websiteId: WebsiteId): Promise<void> {
  await database.query({
    text: `INSERT INTO website_content AS counters (website_id, content_version) VALUES ($1, 1)
      ON CONFLICT (website_id) DO UPDATE SET content_version = counters.content_version + 1`,
    values: [websiteId],
  });
}
