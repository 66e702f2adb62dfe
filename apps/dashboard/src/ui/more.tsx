import { Button } from "./button.tsx";
import { ErrorState } from "./error-state.tsx";

interface GoesOn {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly error: unknown;
  fetchNextPage(): Promise<unknown>;
}

/** The end of a list that goes on. Why the next part did not come is said here: what came before stays. */
export function More({ query, label = "Load more", onMore }: { query: GoesOn; label?: string; onMore?: () => void }) {
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
