import type { WebsiteId } from "#domain/ids";
import type { RecordKind } from "#ports/change-feed";
import { type Fragment, sql } from "./sql.ts";

/**
 * The first step of every write: locks the website's counters, until the write commits, and takes the next number of the
 * change feed for each of `records`. `condition` says whether there is anything to write. It is looked at before the locks are held, so it can
 * be true although nothing is written in the end: a number is then skipped, which harms nobody. It must never be false when there is something to write.
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

/** The same where no key sees the change and the counters are there: cheaper, as no version is raised. Without counters there is no row. */
export const takeUnseenNumbers = (websiteId: WebsiteId, { condition, records }: { condition: Fragment; records: number }): Fragment => sql`
  counted AS (
    UPDATE website_content AS counters SET change_seq = counters.change_seq + ${records}::bigint
    WHERE counters.website_id = ${websiteId} AND ${condition}
    RETURNING change_seq
  )`;

export interface FedRecord {
  readonly websiteId: WebsiteId;
  readonly kind: RecordKind;
  readonly postId?: string;
  readonly id: string;
  readonly removed?: boolean;
}

/**
 * Enters a record into the change feed, with the last of the numbers that were taken, and another one of the same write with the number
 * before it. `written` is a query of one row, there only if they were written.
 */
export function addToFeed(record: FedRecord, written: Fragment, another?: FedRecord | null): Fragment {
  const rows = another ? sql`(VALUES (${fedColumns(record)}, 0), (${fedColumns(another)}, 1))` : sql`(SELECT ${fedColumns(record)}, 0)`;
  return sql`
    INSERT INTO content_changes (website_id, kind, post_id, id, removed, change_seq)
    SELECT ${record.websiteId}, kind, post_id, records.id, removed, counted.change_seq - below
    FROM counted, ${written} AS written, ${rows} AS records (kind, post_id, id, removed, below)
    ON CONFLICT (website_id, kind, post_id, id) DO UPDATE SET change_seq = excluded.change_seq, removed = excluded.removed`;
}

const fedColumns = ({ kind, postId = "", id, removed = false }: FedRecord): Fragment =>
  sql`${kind}::text, ${postId}::text, ${id}::text, ${removed}::boolean`;
