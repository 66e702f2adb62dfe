import { type Checksum, createChecksums } from "#domain/content-checksum";
import type { MediaId, PostId, RevisionId, TermId, WebsiteId } from "#domain/ids";
import { type Change, type FeedPage, RECORD_KINDS, type RecordKind } from "#ports/change-feed";
import type { ContentStore } from "#ports/content-store";

const PAGE = 500;

/** Every record of the website in this store, by kind: two stores hold the same exactly where these are the same. */
export async function sumUp(content: ContentStore, websiteId: WebsiteId): Promise<Readonly<Record<RecordKind, Checksum>>> {
  const sums = createChecksums(RECORD_KINDS);
  // The feed may name a record twice while writers go on.
  const seen = new Set<string>();
  for (let cursor: string | null = null; ;) {
    const read: FeedPage = await content.feed.read(websiteId, cursor, PAGE);
    for (const change of read.changes) {
      const name = `${change.kind} ${change.postId ?? ""} ${change.id}`;
      const record = change.removed || seen.has(name) ? null : await readRecord(content, websiteId, change);
      if (record) sums.add(change.kind, record);
      seen.add(name);
    }
    if (read.atEnd) return sums.result();
    cursor = read.cursor;
  }
}

/** The record that a change is about, as it is now; null where it is gone. */
export function readRecord(
  { posts, terms, media, revisions, beside }: ContentStore,
  websiteId: WebsiteId,
  change: Change,
): Promise<object | null> {
  const { kind, id, postId } = change;
  if (kind === "post") return posts.get(websiteId, id as PostId);
  if (kind === "term") return terms.get(websiteId, id as TermId);
  if (kind === "media") return media.get(websiteId, id as MediaId);
  return kind === "revision" ? revisions.get(websiteId, postId!, id as RevisionId) : beside.get(websiteId, id);
}
