import type { Post, PostContent, RevisionHead } from "#domain/post";
import { fingerprint } from "#domain/tool-save";
import type { After } from "#ports/list-page";
import type { InWebsite } from "../../kernel/operation.ts";

const PAGE = 200;
/** A history this long belongs to no post that anyone has seen. */
const MOST_PAGES = 20;
/** The one looked for is nearly always the first; others make up for clocks that differ between nodes, and for earlier undos. */
const MOST_READ = 20;

/** The history of a post, the newest version first, with the revision that still waits inside it. */
export async function readRevisionHeads({ content, website }: InWebsite, post: Post): Promise<readonly RevisionHead[]> {
  const heads: RevisionHead[] = [];
  if (post.pendingRevision) heads.push({ ...post.pendingRevision, websiteId: post.websiteId, postId: post.id });
  let after: After | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { rows, next }: { rows: readonly RevisionHead[]; next: After | null } = await content.revisions.list(website.id, post.id, {
      after,
      limit: PAGE,
    });
    heads.push(...rows);
    if (!next) break;
    after = next;
  }
  return heads.toSorted((a, b) => b.version - a.version);
}

/** The content with this fingerprint, from the post itself or from its history up to a version; null when it is gone. */
export async function findContent(
  { content }: InWebsite,
  post: Post,
  wanted: string,
  { heads, upTo, wasLive }: { heads: readonly RevisionHead[]; upTo: number; wasLive: boolean },
): Promise<PostContent | null> {
  for (const held of [post.working, post.live?.content]) if (held && fingerprint(held) === wanted) return held;
  const candidates = heads.filter((head) => head.version <= upTo && (!wasLive || head.wasLive)).slice(0, MOST_READ);
  for (const { id } of candidates) {
    const revision = await content.revisions.get(post.websiteId, post.id, id);
    if (revision && fingerprint(revision.content) === wanted) return revision.content;
  }
  return null;
}
