import { useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useRef, useState } from "react";
import type { ListedPost } from "../../api/answers.ts";
import { useOp } from "../../api/hooks.ts";
import { plural } from "../../lib/format.ts";
import { useNewPost } from "../../shell/new-post.ts";
import { useActorNames } from "../../shell/use-actor-names.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Kbd } from "../../ui/kbd.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/spinner.tsx";
import { BulkBar } from "./bulk-bar.tsx";
import { useIsBulkRunning } from "./bulk-runs.ts";
import { ConfirmPostAction, type PostActionRequest } from "./confirm-post-action.tsx";
import { EmptyPosts } from "./empty-posts.tsx";
import { FailuresDialog } from "./failures-dialog.tsx";
import { POST_ACTIONS, type PostAction, type PostActionName } from "./post-actions.ts";
import { PostFilters } from "./post-filters.tsx";
import { PostTable } from "./post-table.tsx";
import { PostTabs } from "./post-tabs.tsx";
import { type PostsSearch, readPostsSearch, withoutFilters } from "./posts-search.ts";
import { useBulk } from "./use-bulk.ts";
import { useEveryPost } from "./use-every-post.ts";
import { useFocusOnPosts } from "./use-focus-on-posts.ts";
import { useListKeys } from "./use-list-keys.ts";
import { usePostList, useViewsOf } from "./use-post-list.ts";
import { useSelection } from "./use-selection.ts";
import { useTermNames } from "./use-term-names.ts";

export function PostsPage() {
  const { website, may } = useWebsiteContext();
  // Read again: the router passes on what an address says beside what the route knows.
  const search = readPostsSearch({ ...useSearch({ from: "/signed-in/s/$websiteId/shell/posts" }) });
  const navigate = useNavigate();
  const newPost = useNewPost();
  const onChange = (next: PostsSearch) =>
    void navigate({ to: "/s/$websiteId/posts", params: { websiteId: website.id }, search: next, replace: true });
  return (
    <Page
      title="Posts"
      actions={
        may("post.create") && (
          <Button variant="primary" onClick={() => void newPost()}>
            <Plus aria-hidden /> New post
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <PostTabs search={search} />
        <PostFilters search={search} onChange={onChange} />
        <PostList search={search} onClear={() => onChange(withoutFilters(search))} />
      </div>
    </Page>
  );
}

function PostList({ search, onClear }: { search: PostsSearch; onClear: () => void }) {
  const { website, may } = useWebsiteContext();
  const { query, pages, posts } = usePostList(search);
  const settings = useOp("get_website", { websiteId: website.id }).data?.settings;
  const facts = {
    timeZone: settings?.timeZone,
    terms: useTermNames(posts.flatMap(({ working }) => [...working.authorIds, ...working.categoryIds])),
    nameOf: useActorNames(posts.flatMap(({ editedBy, review }) => (review ? [editedBy, review.requestedBy] : [editedBy]))),
    views: useViewsOf(pages),
  };
  const selection = useSelection(posts, JSON.stringify(search));
  const { chosen } = selection;
  const every = useEveryPost(search, selection.every);
  const frame = useRef<HTMLDivElement>(null);
  const focusOn = useFocusOnPosts(frame);
  const stayOn = (those: readonly ListedPost[]) => focusOn(those.map(({ id }) => id));
  const bulk = useBulk(focusOn);
  // Called when a run starts and when it ends: the element that had the focus is removed then.
  useIsBulkRunning(website.id);
  const newPost = useNewPost();
  const [request, setRequest] = useState<PostActionRequest | null>(null);
  const startPost = () => void (may("post.create") && newPost());
  useListKeys(frame, { onToggle: selection.toggle, onNew: startPost });

  const start = async (action: PostAction, those: readonly ListedPost[]) => {
    await bulk(action, those);
    selection.drop(those);
  };
  const onAct = (name: PostActionName, those: readonly ListedPost[]) => {
    if (name === "purge" || (selection.isBeyondShown && those.length > 1)) setRequest({ name, posts: those });
    else void start(POST_ACTIONS[name], those);
  };

  if (query.isPending) return <TableSkeleton />;
  if (query.isLoadingError) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <>
      <div ref={frame}>
        {posts.length === 0 && query.isPlaceholderData ? (
          <TableSkeleton />
        ) : posts.length === 0 ? (
          <EmptyPosts search={search} onNew={startPost} onClear={onClear} />
        ) : (
          <PostTable posts={posts} facts={facts} selection={selection} isStale={query.isPlaceholderData} onAct={onAct} />
        )}
      </div>
      {/* The button takes no focus while it works: the next ones come after the last that is shown. */}
      <LoadMore query={query} label="Load more" onMore={() => stayOn(posts.slice(-1))} />
      {!query.hasNextPage && posts.length > 0 && <KeyHints count={posts.length} canBegin={may("post.create")} />}
      <BulkBar
        chosen={chosen}
        every={query.hasNextPage && selection.isAllShown && !selection.isBeyondShown ? every : null}
        onAct={onAct}
        onStart={(action, those) => void start(action, those)}
        onClear={() => {
          stayOn(chosen);
          selection.clear();
        }}
        onStop={() => stayOn(chosen)}
      />
      <FailuresDialog />
      <ConfirmPostAction
        request={request}
        onClose={() => setRequest(null)}
        onConfirm={(agreed) => void start(POST_ACTIONS[agreed.name], agreed.posts)}
      />
    </>
  );
}

function KeyHints({ count, canBegin }: { count: number; canBegin: boolean }) {
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-4 gap-y-1 text-xs text-muted">
      <span>{plural(count, "post")}</span>
      <span className="hidden items-center gap-1 md:flex">
        <Kbd>j</Kbd> <Kbd>k</Kbd> move
      </span>
      <span className="hidden items-center gap-1 md:flex">
        <Kbd>x</Kbd> select
      </span>
      {canBegin && (
        <span className="hidden items-center gap-1 md:flex">
          <Kbd>n</Kbd> new post
        </span>
      )}
    </p>
  );
}

function TableSkeleton() {
  return (
    <div role="status" aria-label="Loading the posts" className="divide-y divide-line rounded-card border border-line bg-surface">
      {Array.from({ length: 8 }, (_, row) => (
        <div key={row} className="flex items-center gap-4 px-4 py-4">
          <Skeleton className="size-4.5" />
          <Skeleton className="h-4 flex-1" />
          <Skeleton className="hidden h-4 w-24 md:block" />
          <Skeleton className="hidden h-4 w-24 md:block" />
        </div>
      ))}
    </div>
  );
}
