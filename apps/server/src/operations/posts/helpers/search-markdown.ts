import { decodeCursor, encodeCursor } from "#domain/cursor";
import type { PostHead } from "#domain/post-head";
import { MARK, safeHighlight } from "#domain/search-text";
import type { After } from "#ports/list-page";
import type { InWebsite } from "../../kernel/operation.ts";
import type { ListAnswer } from "../../kernel/paging.ts";
import { ownView } from "../list-posts.ts";
import type { PostFound } from "../search-posts.ts";

const BY_EDIT = "-editedAt";
/** Posts whose text one call reads at most: a large website is searched in several calls, each soon answered. */
const MOST_READ = 200;
const HEADS_AT_ONCE = 10;
/** Characters that are shown on each side of the passage. */
const AROUND = 60;

interface Query {
  readonly text: string;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * The posts that hold a passage to the letter, but for its case: a link that broke, a price that changed. Drafts too, in the
 * Markdown that would be edited. No index knows that, so the texts are read, last edited first.
 */
export async function searchMarkdown(context: InWebsite, { text, limit, cursor }: Query): Promise<ListAnswer<PostFound>> {
  const { content, website } = context;
  const wanted = text.toLowerCase();
  const items: PostFound[] = [];
  let after: After | null = cursor ? decodeCursor(cursor, BY_EDIT) : null;
  for (let read = 0; read < MOST_READ; read += HEADS_AT_ONCE) {
    const page = await content.posts.listHeads(website.id, {
      statuses: ["draft", "scheduled", "published", "unpublished"],
      sort: BY_EDIT,
      after,
      limit: HEADS_AT_ONCE,
      ...ownView(context),
    });
    for (const [index, head] of page.rows.entries()) {
      // One at a time: a whole post takes some megabytes at the worst, and many may search.
      const post = await content.posts.get(website.id, head.id);
      const found = foundIn(head, post?.working.body ?? "", wanted);
      if (!found) continue;
      items.push(found);
      const isLast = index === page.rows.length - 1 && page.next === null;
      if (items.length === limit) return { items, nextCursor: isLast ? null : encodeCursor(BY_EDIT, { key: head.editedAt, id: head.id }) };
    }
    if (!page.next) return { items, nextCursor: null };
    after = page.next;
  }
  return { items, nextCursor: after && encodeCursor(BY_EDIT, after) };
}

function foundIn({ id, title, slug, version }: PostHead, body: string, wanted: string): PostFound | null {
  const folded = body.toLowerCase();
  // A letter that lower case makes longer moves everything behind it; then the passage is found, and only not shown.
  const isAligned = folded.length === body.length;
  const at = folded.indexOf(wanted);
  if (at === -1) return null;
  const times = folded.split(wanted).length - 1;
  const end = at + wanted.length;
  const [before, passage, behind] = [body.slice(Math.max(0, at - AROUND), at), body.slice(at, end), body.slice(end, end + AROUND)];
  const excerpt = safeHighlight(`${before}${MARK.start}${passage}${MARK.end}${behind}`.toWellFormed());
  return { postId: id, title, slug, excerpt: isAligned ? excerpt : "", version, times };
}
