import { keepPreviousData, useInfiniteQuery, useQueries } from "@tanstack/react-query";
import type { PostListPage } from "../../api/answers.ts";
import { findPosts } from "../../api/find-posts.ts";
import { opOptions } from "../../api/hooks.ts";
import type { ApiProblem } from "../../lib/problem.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { listInput, type PostsSearch } from "./posts-search.ts";

const PAGE_SIZE = 40;

/** The posts of a view, a page at a time: every page costs the server the same, however many posts there are. */
export function usePostList(search: PostsSearch) {
  const { website } = useWebsiteContext();
  const input = listInput(website.id, search);
  const query = useInfiniteQuery<PostListPage, ApiProblem, { pages: PostListPage[] }, readonly unknown[], string | null>({
    queryKey: ["list_posts", "pages", input],
    queryFn: ({ pageParam, signal }) => findPosts({ ...input, limit: PAGE_SIZE, ...(pageParam !== null && { cursor: pageParam }) }, signal),
    initialPageParam: null,
    getNextPageParam: (page) => page.nextCursor,
    placeholderData: keepPreviousData,
    // All pages are asked for anew: many of them are too much for a glance at another window.
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= 2,
  });
  const pages = query.data?.pages ?? [];
  // A post that was edited between two pages stands on both: it is shown where it was seen first.
  const posts = [...new Map(pages.flatMap(({ items }) => items).map((post) => [post.id, post])).values()];
  return { query, pages, posts };
}

/** Views of the last 30 days by post, asked for once a page. */
export function useViewsOf(pages: readonly PostListPage[]): ReadonlyMap<string, number> {
  const { website } = useWebsiteContext();
  const asked = pages.map(({ items }) => items.filter(({ publishedAt }) => publishedAt !== null).map(({ id }) => id));
  return useQueries({
    queries: asked
      .filter((postIds) => postIds.length > 0)
      .map((postIds) => ({ ...opOptions("get_views_of_posts", { websiteId: website.id, postIds }), staleTime: 60_000 })),
    combine: (results) => new Map(results.flatMap(({ data }) => data ?? []).map(({ postId, last30Days }) => [postId, last30Days])),
  });
}
