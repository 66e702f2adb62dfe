import { toPostDocument } from "#adapters/mongodb/post-document";
import type { WebsiteId } from "#domain/ids";
import { buildMedia, buildPublishedPost, testId } from "#test/builders";

type Document = Record<string, unknown>;

export const GOOD = testId("post", 1);
export const DIRTY = testId("post", 2);

/** Posts of a website as their owner may have changed them: the first is good, the second has markup that nobody may see. */
export function hostilePosts(websiteId: WebsiteId): readonly Document[] {
  const made = (n: number, change: (post: Document) => Document = (post) => post) => {
    const post = change(toPostDocument(buildPublishedPost(n, { websiteId })));
    return { ...post, _id: `${websiteId}/${testId("post", n)}` };
  };
  const live = (post: Document, change: Document) => ({ ...post, live: { ...(post.live as Document), ...change } });
  const titled = (post: Document, title: unknown) => live(post, { content: { ...((post.live as Document).content as Document), title } });
  const html = '<p onclick="a()">Kept</p><script>1</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">x</a><svg onload=a()>';
  return [
    made(1),
    made(2, (post) => ({ ...post, liveBody: { ...(post.liveBody as Document), html } })),
    made(3, (post) => titled(post, "t".repeat(15_000_000))),
    made(4, (post) => titled(post, { $ne: 1 })),
    made(5, (post) => live(post, { wordCount: -1 })),
    { ...made(6), _id: `${testId("website", 999_999)}/${testId("post", 6)}` },
  ];
}

/** Images that take less than nothing, are no images, or lie where another website's do. */
export function hostileMedia(websiteId: WebsiteId): readonly Document[] {
  const other = buildMedia(9, { websiteId: testId("website", 999_999) });
  return [{ bytes: -5_000_000_000 }, { bytes: 5e12 }, { contentType: "text/html" }, { _id: `${other.websiteId}/${other.id}` }].map(
    (change, n) => {
      const { id, createdAt, updatedAt, ...media } = buildMedia(n + 1, { websiteId });
      const times = { createdAt: new Date(createdAt), updatedAt: new Date(updatedAt), deletedAt: null };
      return { ...media, ...times, _id: `${websiteId}/${id}`, w: websiteId, trashed: false, storageKey: `${other.websiteId}/x`, ...change };
    },
  );
}
