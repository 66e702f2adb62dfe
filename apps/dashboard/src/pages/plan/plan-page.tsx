import type { HostedPlanName } from "@stet/contract";
import { useState } from "react";
import { useOp } from "../../api/hooks.ts";
import { isOwnServer, usagePageName } from "../../lib/plan-words.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/spinner.tsx";
import { ChangePlanDialog } from "./change-plan-dialog.tsx";
import { OwnServerUsage } from "./own-server-usage.tsx";
import { PlanCard } from "./plan-card.tsx";
import { UsageCard } from "./usage-card.tsx";

export const PlanPage = () => (isOwnServer(useWorkspaceContext().workspace.plan) ? <OwnServerUsage /> : <HostedPlan />);

function HostedPlan() {
  const { workspace, may } = useWorkspaceContext();
  const at = { workspaceId: workspace.id };
  const usage = useOp("get_usage", at);
  const list = useOp("list_plans", at);
  const [choosing, setChoosing] = useState<HostedPlanName | null>(null);
  const currentPlan = usage.data?.plan ?? workspace.plan;
  const byOperator = list.data?.changedBy === "operator";
  const mayChange = may("plan.change") && !byOperator;
  const currentIndex = list.data?.plans.findIndex(({ name }) => name === currentPlan) ?? 0;
  return (
    <Page title={usagePageName(currentPlan)} description="The plan is for the whole workspace. All of its websites share the limits.">
      {usage.isLoadingError || list.isLoadingError ? (
        <ErrorState error={usage.error ?? list.error} onRetry={() => void Promise.all([usage.refetch(), list.refetch()])} />
      ) : !usage.data || !list.data ? (
        <>
          <Skeleton className="h-44" />
          <Skeleton className="h-80" />
        </>
      ) : (
        <>
          <UsageCard usage={usage.data} />
          <section aria-labelledby="plans" className="flex flex-col gap-4">
            <h2 id="plans" className="text-[0.9375rem] font-semibold">
              Plans
            </h2>
            {byOperator ? (
              <Notice>Plans on this server are managed by its administrator. Ask them to change yours.</Notice>
            ) : (
              !may("plan.change") && <Notice>Only the owner of the workspace can change the plan.</Notice>
            )}
            <div className="grid gap-4 md:grid-cols-3">
              {list.data.plans.map(({ name, limits }, position) => (
                <PlanCard
                  key={name}
                  name={name}
                  limits={limits}
                  isCurrent={name === currentPlan}
                  isLarger={position > currentIndex}
                  onChoose={mayChange && name !== currentPlan ? () => setChoosing(name) : null}
                />
              ))}
            </div>
          </section>
        </>
      )}
      {choosing && <ChangePlanDialog plan={choosing} currentPlan={currentPlan} onClose={() => setChoosing(null)} />}
    </Page>
  );
}
