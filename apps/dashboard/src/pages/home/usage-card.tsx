import { Link } from "@tanstack/react-router";
import { useOp } from "../../api/hooks.ts";
import { capital, formatBytes, formatNumber } from "../../lib/format.ts";
import { isOwnServer } from "../../lib/plan-words.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Card } from "../../ui/card.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Gauge } from "../../ui/gauge.tsx";
import { Skeleton } from "../../ui/spinner.tsx";

/** The usage of all websites of the workspace together, and its share of the plan. */
export function UsageCard() {
  const { workspace } = useWebsiteContext();
  const usage = useOp("get_usage", { workspaceId: workspace.id });
  return (
    <Card
      title="Usage"
      action={
        <Link
          to="/w/$workspaceId/plan"
          params={{ workspaceId: workspace.id }}
          className="text-sm text-muted hover:text-text hover:underline"
        >
          {isOwnServer(workspace.plan) ? "View usage" : `${capital(workspace.plan)} plan`}
        </Link>
      }
    >
      {usage.isLoadingError ? (
        <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
      ) : usage.data ? (
        <div className="flex flex-col gap-4">
          <Gauge label="Requests this month" used={usage.data.requests} limit={usage.data.limits.requestsPerMonth} format={formatNumber} />
          <Gauge label="Images" used={usage.data.storageBytes} limit={usage.data.limits.storageBytes} format={formatBytes} />
        </div>
      ) : (
        <Skeleton className="h-20" />
      )}
    </Card>
  );
}
