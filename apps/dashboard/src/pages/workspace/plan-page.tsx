import type { PlanName } from "@stet/contract";
import { useState } from "react";
import { useOp } from "../../api/hooks.ts";
import { useWorkspace } from "../../shell/place.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/spinner.tsx";
import { ChangePlanDialog } from "./change-plan-dialog.tsx";
import { PlanCard } from "./plan-card.tsx";
import { UsageCard } from "./usage-card.tsx";

export function PlanPage() {
  const { workspace, may } = useWorkspace();
  const at = { workspaceId: workspace.id };
  const usage = useOp("get_usage", at);
  const list = useOp("list_plans", at);
  const [choosing, setChoosing] = useState<PlanName | null>(null);
  const present = usage.data?.plan ?? workspace.plan;
  const byOperator = list.data?.changedBy === "operator";
  const mayChange = may("plan.change") && !byOperator;
  const place = list.data?.plans.findIndex(({ name }) => name === present) ?? 0;
  return (
    <Page title="Plan and usage" description="One plan for the workspace; its limits are shared by all of its websites.">
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
              <Notice>Plans are changed by whoever runs this install. Ask them for another one.</Notice>
            ) : (
              !may("plan.change") && <Notice>Only the owner of the workspace changes the plan.</Notice>
            )}
            <div className="grid gap-4 md:grid-cols-3">
              {list.data.plans.map(({ name, limits }, position) => (
                <PlanCard
                  key={name}
                  name={name}
                  limits={limits}
                  isPresent={name === present}
                  isLarger={position > place}
                  onChoose={mayChange && name !== present ? () => setChoosing(name) : null}
                />
              ))}
            </div>
          </section>
        </>
      )}
      {choosing && <ChangePlanDialog plan={choosing} present={present} onClose={() => setChoosing(null)} />}
    </Page>
  );
}
