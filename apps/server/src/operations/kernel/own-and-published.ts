import { facetsOf } from "#domain/facets";
import { fold } from "#domain/fold";
import type { PostId, UserId, WebsiteId } from "#domain/ids";
import type { LivePost, Post, PostSummary, RevisionHead } from "#domain/post";
import { publishedHead, publishedSummary, publishedView } from "#domain/published-view";
import type { ContentStore, PostListQuery } from "#ports/content-store";
import type { After, ListPage } from "#ports/list-page";

/**
 * The store for somebody who may read their own posts and what is published, and of the latter only what readers see. It
 * stands in the place of the store itself, so that no operation can forget it. Others' posts that are not published are
 * refused by the policy; here they are as they are.
 */
export function ownAndPublished(content: ContentStore, userId: UserId): ContentStore {
  const { posts, revisions } = content;

  const isOthers = (post: Pick<PostSummary, "ownerId" | "status">): boolean => isPublishedByOthers(post, userId);
  const readsOnlyLive = async (websiteId: WebsiteId, postId: PostId): Promise<boolean> => {
    const post = await posts.get(websiteId, postId);
    return post !== null && isOthers(post);
  };

  /** A page as they may see it, cursor included: what lists are sorted and narrowed by is the working copy. */
  async function shown<Row extends Pick<PostSummary, "id" | "ownerId" | "status">>(
    websiteId: WebsiteId,
    query: PostListQuery,
    list: (query: PostListQuery) => Promise<ListPage<Row>>,
    publishedOf: (row: Row, live: LivePost) => Row,
  ): Promise<ListPage<Row>> {
    const page = await list({ ...query, after: await workingPosition(websiteId, query) });
    const others = page.rows.filter(isOthers).map(({ id }) => id);
    const live = others.length === 0 ? [] : await posts.getManyLive(websiteId, others);
    const liveById = new Map(live.map((post) => [post.id, post]));
    const rows = page.rows.flatMap((post) => {
      if (!isOthers(post)) return [post];
      const copy = liveById.get(post.id);
      // Unpublished since the list was read: then it is none of theirs.
      return copy && isFound(query, copy) ? [publishedOf(post, copy)] : [];
    });
    const { next } = page;
    if (!next || !isByTitle(query)) return { rows, next };
    // In a search for titles the list can go on after a post that is not on the page.
    const id = next.id as PostId;
    const last = page.rows.find((post) => post.id === id) ?? (await posts.get(websiteId, id));
    if (last?.ownerId === userId) return { rows, next };
    const [shownLast] = liveById.has(id) ? [liveById.get(id)] : await posts.getManyLive(websiteId, [id]);
    return { rows, next: { ...next, key: fold(shownLast?.content.title ?? "") } };
  }

  /** Where a page goes on. Of others' posts a cursor names the title that readers see; the list goes on after the working one. */
  async function workingPosition(websiteId: WebsiteId, query: PostListQuery): Promise<After | null> {
    const { after } = query;
    if (!after || !isByTitle(query)) return after;
    const post = await posts.get(websiteId, after.id as PostId);
    return post && post.ownerId !== userId ? { ...after, key: fold(post.working.title) } : after;
  }

  return {
    ...content,
    posts: {
      ...posts,
      async get(websiteId, id) {
        const post = await posts.get(websiteId, id);
        return post && asSeenBy(post, userId);
      },
      list: (websiteId, query) => shown(websiteId, query, (asked) => posts.list(websiteId, asked), publishedSummary),
      listHeads: (websiteId, query) => shown(websiteId, query, (asked) => posts.listHeads(websiteId, asked), publishedHead),
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

const isPublishedByOthers = ({ ownerId, status }: Pick<PostSummary, "ownerId" | "status">, userId: UserId): boolean =>
  ownerId !== userId && status === "published";

/** A post as somebody may see it who reads their own and what is published. */
export const asSeenBy = (post: Post, userId: UserId): Post => (isPublishedByOthers(post, userId) ? publishedView(post) : post);

const isByTitle = ({ sort }: PostListQuery): boolean => sort === "title" || sort === "-title";

/** Whether it is found by what readers see: to list it for what only the working copy holds would tell that. */
function isFound(query: PostListQuery, { content, mediaIds }: LivePost): boolean {
  if (query.hasUnpublishedChanges || query.reviewRequested) return false;
  if (query.titleContains && !fold(content.title).includes(fold(query.titleContains))) return false;
  const facets = facetsOf(content, mediaIds);
  return (query.facets ?? []).every((anyOf) => anyOf.some((facet) => facets.includes(facet)));
}

const isSeen = ({ wasLive }: RevisionHead, onlyLive: boolean): boolean => wasLive || !onlyLive;
