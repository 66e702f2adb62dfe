import { useOp } from "../../api/hooks.ts";
import { usagePageName } from "../../lib/plan-words.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/spinner.tsx";
import { UsageCard } from "./usage-card.tsx";

/** The usage of a workspace on one's own server. There is no plan to compare or to change. */
export function OwnServerUsage() {
  const { workspace, may } = useWorkspaceContext();
  const usage = useOp("get_usage", { workspaceId: workspace.id });
  const runsIt = may("plan.change");
  return (
    <Page
      title={usagePageName(workspace.plan)}
      description={`The only limits are the ones ${runsIt ? "you set on this server" : "set on this server"}. Nothing is charged.`}
    >
      {usage.isLoadingError ? (
        <ErrorState error={usage.error} onRetry={() => void usage.refetch()} />
      ) : usage.data ? (
        <UsageCard usage={usage.data} />
      ) : (
        <Skeleton className="h-44" />
      )}
      {runsIt && (
        <p className="text-sm text-muted">
          To limit requests, image storage, websites or keys, list your limits in a file and name it in the setting <code>STET_PLANS</code>.
        </p>
      )}
    </Page>
  );
}
