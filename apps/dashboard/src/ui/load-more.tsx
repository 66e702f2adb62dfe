import { Button } from "./button.tsx";
import { ErrorState } from "./error-state.tsx";

interface PagedQuery {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly error: unknown;
  fetchNextPage(): Promise<unknown>;
}

/** The button at the end of a list that has more items. If they cannot be loaded, the reason is shown here and the list stays. */
export function LoadMore({ query, label = "Load more", onMore }: { query: PagedQuery; label?: string; onMore?: () => void }) {
  if (!query.hasNextPage) return null;
  if (query.isFetchNextPageError) return <ErrorState error={query.error} onRetry={() => void query.fetchNextPage()} />;
  return (
    <div className="flex justify-center pt-2">
      <Button
        busy={query.isFetchingNextPage}
        onClick={() => {
          onMore?.();
          void query.fetchNextPage();
        }}
      >
        {label}
      </Button>
    </div>
  );
}
