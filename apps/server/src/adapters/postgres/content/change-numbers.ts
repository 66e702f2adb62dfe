import type { WebsiteId } from "#domain/ids";
import type { RecordKind } from "#ports/change-feed";
import { type Fragment, sql } from "./sql.ts";

/**
 * The first step of every write: locks the website's counters, until the write commits, and takes the next number of the
 * change feed for each of `records`. `condition` says whether there is anything to write, as far as can be seen yet; it may
 * say yes too often (a number is then skipped, which harms nobody), never no.
 */
export function takeChangeNumbers(
  websiteId: WebsiteId,
  options: { visible: boolean | Fragment; condition: Fragment; records?: number | Fragment },
): Fragment {
  const records = options.records ?? 1;
  const visible = sql`(${options.visible})::boolean::integer`;
  return sql`
    counted AS (
      INSERT INTO website_content AS counters (website_id, change_seq, content_version)
      SELECT ${websiteId}, (${records})::bigint, ${visible} WHERE ${options.condition}
      ON CONFLICT (website_id) DO UPDATE SET
        change_seq = counters.change_seq + excluded.change_seq,
        content_version = counters.content_version + excluded.content_version
      RETURNING change_seq
    )`;
}

/** Enters a record into the change feed. `written` is a query of one row, there only if the record was written. */
export function addToFeed(
  record: { websiteId: WebsiteId; kind: RecordKind; postId?: string; id: string; removed?: boolean },
  written: Fragment,
  /** How far below the last number taken: two records of one write need two numbers. */
  below = 0,
): Fragment {
  return sql`
    INSERT INTO content_changes (website_id, kind, post_id, id, change_seq, removed)
    SELECT ${record.websiteId}, ${record.kind}, ${record.postId ?? ""}, ${record.id}, counted.change_seq - ${below}::bigint, ${record.removed ?? false}
    FROM counted, ${written} AS written
    ON CONFLICT (website_id, kind, post_id, id) DO UPDATE SET change_seq = excluded.change_seq, removed = excluded.removed`;
}
