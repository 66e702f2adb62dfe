import type { ListedPost, PostListPage } from "../../api/answers.ts";
import { useOp } from "../../api/hooks.ts";
import { rpc } from "../../api/rpc.ts";
import type { Input } from "../../api/wire.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { toast } from "../../ui/toast.tsx";
import { trackRun } from "./bulk-runs.ts";
import { countOf, filterCount, listInput, type PostsSearch } from "./posts-search.ts";

const PAGE_SIZE = 100;

/** The way from the posts that are shown to every post of the view. */
export interface EveryPost {
  /** Null: as many as match. The server counts by state only. */
  readonly count: number | null;
  readonly choose: () => void;
}

export function useEveryPost(search: PostsSearch, onFound: (posts: readonly ListedPost[]) => void): EveryPost {
  const websiteId = useWebsiteContext().website.id;
  const counts = useOp("count_posts", { websiteId }).data;
  const isNarrowed = search.q !== undefined || filterCount(search) > 0;
  const choose = async () => {
    try {
      const found = await findEvery(listInput(websiteId, search));
      if (found) onFound(found);
    } catch (error) {
      toast.error(error);
    }
  };
  return { count: counts && !isNarrowed ? countOf(counts, search.tab ?? "all") : null, choose: () => void choose() };
}

/** Null when it was stopped. */
const findEvery = (input: Input<"list_posts">): Promise<readonly ListedPost[] | null> =>
  trackRun(input.websiteId, { doing: "Finding posts", total: null }, async (advance, stopped) => {
    // A post that is edited meanwhile may come twice.
    const found = new Map<string, ListedPost>();
    for (let cursor: string | null = ""; cursor !== null && !stopped.aborted;) {
      const page: PostListPage = await rpc("list_posts", { ...input, limit: PAGE_SIZE, ...(cursor && { cursor }) });
      for (const post of page.items) found.set(post.id, post);
      advance(found.size);
      cursor = page.nextCursor;
    }
    return stopped.aborted ? null : [...found.values()];
  });
