import type { PostContent, Revision, RevisionHead } from "#domain/post";
import { json, withoutBody } from "./post-columns.ts";
import { type Fragment, raw, sql } from "./sql.ts";

export const HEAD_COLUMNS = raw("website_id, post_id, id, kind, version, author, started_at, at, was_live");

export interface HeadRow {
  website_id: Revision["websiteId"];
  post_id: Revision["postId"];
  id: Revision["id"];
  kind: Revision["kind"];
  version: number;
  author: Revision["author"];
  started_at: Revision["startedAt"];
  at: Revision["at"];
  was_live: boolean;
}

export interface RevisionRow extends HeadRow {
  content: Omit<PostContent, "body">;
  body: string;
}

export const headOf = (row: HeadRow): RevisionHead => ({
  id: row.id,
  websiteId: row.website_id,
  postId: row.post_id,
  kind: row.kind,
  version: row.version,
  author: row.author,
  startedAt: row.started_at,
  at: row.at,
  wasLive: row.was_live,
});

export const revisionOf = (row: RevisionRow): Revision => ({ ...headOf(row), content: { ...row.content, body: row.body } });

/** Same id = replaced. `from` is a query of one row; the caller may add a condition on the replacement. */
export const putRevision = (revision: Revision, from: Fragment): Fragment => sql`
  INSERT INTO revisions (${HEAD_COLUMNS}, content, body)
  SELECT ${revision.websiteId}, ${revision.postId}, ${revision.id}, ${revision.kind}, ${revision.version}, ${json(revision.author)},
    ${revision.startedAt}, ${revision.at}, ${revision.wasLive}, ${json(withoutBody(revision.content))}, ${revision.content.body}
  FROM ${from}
  ON CONFLICT (website_id, post_id, id) DO UPDATE SET
    kind = excluded.kind, version = excluded.version, author = excluded.author, started_at = excluded.started_at,
    at = excluded.at, was_live = excluded.was_live, content = excluded.content, body = excluded.body`;
