import { fold } from "#domain/fold";
import type { PostId, UserId, WebsiteId } from "#domain/ids";
import type { LivePost, PostSummary, RevisionHead } from "#domain/post";
import { publishedHead, publishedSummary, publishedView } from "#domain/published-view";
import type { ContentStore, Page, PostListQuery } from "#ports/content-store";

/**
 * The store for somebody who may read their own posts and what is published, and of the latter only what readers see. It
 * stands in the place of the store itself, so that no operation can forget it. Others' posts that are not published are
 * refused by the policy; here they are as they are.
 */
export function readersView(content: ContentStore, userId: UserId): ContentStore {
  const { posts, revisions } = content;

  const isOthers = (post: Pick<PostSummary, "ownerId" | "status">): boolean => post.ownerId !== userId && post.status === "published";
  const readsOnlyLive = async (websiteId: WebsiteId, postId: PostId): Promise<boolean> => {
    const post = await posts.get(websiteId, postId);
    return post !== null && isOthers(post);
  };

  async function shown<Row extends Pick<PostSummary, "id" | "ownerId" | "status">>(
    websiteId: WebsiteId,
    query: PostListQuery,
    page: Page<Row>,
    publishedOf: (row: Row, live: LivePost) => Row,
  ): Promise<Page<Row>> {
    const others = page.rows.filter(isOthers);
    if (others.length === 0) return page;
    const live = await posts.getManyLive(
      websiteId,
      others.map(({ id }) => id),
    );
    const liveById = new Map(live.map((post) => [post.id, post]));
    const rows = page.rows.flatMap((post) => {
      if (!isOthers(post)) return [post];
      const copy = liveById.get(post.id);
      // Unpublished since the list was read: then it is none of theirs.
      if (!copy) return [];
      // Found by a word that only the working title has: to list it would tell that.
      const isFound = !query.titleContains || fold(copy.content.title).includes(fold(query.titleContains));
      return isFound ? [publishedOf(post, copy)] : [];
    });
    return { ...page, rows };
  }

  return {
    ...content,
    posts: {
      ...posts,
      async get(websiteId, id) {
        const post = await posts.get(websiteId, id);
        return post && isOthers(post) ? publishedView(post) : post;
      },
      list: async (websiteId, query) => shown(websiteId, query, await posts.list(websiteId, query), publishedSummary),
      listHeads: async (websiteId, query) => shown(websiteId, query, await posts.listHeads(websiteId, query), publishedHead),
    },
    revisions: {
      ...revisions,
      async get(websiteId, postId, id) {
        const [revision, onlyLive] = await Promise.all([revisions.get(websiteId, postId, id), readsOnlyLive(websiteId, postId)]);
        return revision && isSeen(revision, onlyLive) ? revision : null;
      },
      async list(websiteId, postId, query) {
        const [page, onlyLive] = await Promise.all([revisions.list(websiteId, postId, query), readsOnlyLive(websiteId, postId)]);
        return { ...page, rows: page.rows.filter((revision) => isSeen(revision, onlyLive)) };
      },
    },
  };
}

const isSeen = ({ wasLive }: RevisionHead, onlyLive: boolean): boolean => wasLive || !onlyLive;
