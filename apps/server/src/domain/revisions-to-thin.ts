import type { PostId, RevisionId, WebsiteId } from "#domain/ids";
import type { RevisionHead } from "#domain/post";

/**
 * Which of these revisions can go: within each hour of a post the newest stays. Takes heads ordered by post and time;
 * an hour split over two batches keeps one of each, which costs a revision more and loses none.
 */
export function revisionsToThin(
  heads: readonly RevisionHead[],
): readonly { websiteId: WebsiteId; postId: PostId; ids: readonly RevisionId[] }[] {
  const groups = new Map<string, RevisionHead[]>();
  for (const head of heads) {
    if (head.wasLive) continue;
    const hour = `${head.websiteId}/${head.postId}/${head.at.slice(0, 13)}`;
    const group = groups.get(hour);
    if (group) group.push(head);
    else groups.set(hour, [head]);
  }
  return [...groups.values()]
    .map((group) => {
      const newest = group.reduce((left, right) => (right.at >= left.at ? right : left));
      return { websiteId: newest.websiteId, postId: newest.postId, ids: group.filter((head) => head !== newest).map((head) => head.id) };
    })
    .filter((group) => group.ids.length > 0);
}
