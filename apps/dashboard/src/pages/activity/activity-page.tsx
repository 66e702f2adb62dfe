import { useNavigate, useSearch } from "@tanstack/react-router";
import { Activity } from "lucide-react";
import { useOpPages } from "../../api/hooks.ts";
import { RequirePermission } from "../../shell/require-permission.tsx";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/spinner.tsx";
import { type ActivityFilter, inputOf } from "./activity-filter.ts";
import { ActivityFilters } from "./activity-filters.tsx";
import { ActivityRow } from "./activity-row.tsx";

export function ActivityPage() {
  return (
    <RequirePermission permission="activity.read">
      <ActivityLog />
    </RequirePermission>
  );
}

function ActivityLog() {
  const { workspace } = useWorkspaceContext();
  const filter = useSearch({ from: "/signed-in/w/$workspaceId/shell/activity" });
  const navigate = useNavigate();
  const log = useOpPages("list_activity", { workspaceId: workspace.id, ...inputOf(filter), limit: 50 });
  const set = (next: ActivityFilter) =>
    void navigate({ to: "/w/$workspaceId/activity", params: { workspaceId: workspace.id }, search: next, replace: true });
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page title="Activity" description="What people, connected apps and Stet did in this workspace, newest first.">
      <ActivityFilters filter={filter} onChange={set} />
      {log.isLoadingError ? (
        <ErrorState error={log.error} onRetry={() => void log.refetch()} />
      ) : !log.items ? (
        <Skeleton className="h-80" />
      ) : log.items.length === 0 ? (
        <EmptyState
          icon={Activity}
          title={isFiltered ? "No matching activity" : "No activity yet"}
          action={isFiltered && <Button onClick={() => set({})}>Show all activity</Button>}
        >
          {isFiltered ? "Choose a longer time or remove a filter." : "Changes to posts, settings and members appear here."}
        </EmptyState>
      ) : (
        <>
          <ol
            aria-label="Activity"
            aria-busy={log.isPlaceholderData}
            className="divide-y divide-line rounded-card border border-line bg-surface"
          >
            {log.items.map((entry) => (
              <ActivityRow key={entry.id} entry={entry} />
            ))}
          </ol>
          <LoadMore query={log} label="Load more" />
        </>
      )}
    </Page>
  );
}
