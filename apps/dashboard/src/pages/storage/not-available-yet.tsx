import type { PlanName } from "@stet/contract";
import { Link } from "@tanstack/react-router";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useOp } from "../../api/hooks.ts";
import { isOwnServer } from "../../lib/plan-words.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { Page } from "../../ui/page.tsx";

/** A page for a storage that cannot be connected yet: where the data is now, what is planned, and for which plans. */
export function NotAvailableYet({
  title,
  description,
  icon: Icon,
  now,
  nowDetail,
  coming,
  feature,
}: {
  title: string;
  description: string;
  icon: LucideIcon;
  now: string;
  nowDetail: ReactNode;
  coming: readonly string[];
  feature: "ownDatabase" | "ownImageStore";
}) {
  const { workspace } = useWebsiteContext();
  const plans = useOp("list_plans", { workspaceId: workspace.id });
  const withIt = isOwnServer(workspace.plan)
    ? []
    : (plans.data?.plans.filter(({ limits }) => limits[feature]).map(({ name }) => name as PlanName) ?? []);
  return (
    <Page title={title} description={description}>
      <div className="flex max-w-3xl flex-col gap-6">
        <Card>
          <div className="flex items-start gap-4">
            <span className="grid size-10 shrink-0 place-items-center rounded-full bg-ok-soft text-ok">
              <Icon aria-hidden className="size-5" />
            </span>
            <div className="min-w-0">
              <h2 className="flex flex-wrap items-center gap-2 text-[0.9375rem] font-semibold">
                {now} <Badge tone="ok">In use</Badge>
              </h2>
              <p className="mt-1 text-sm text-muted">{nowDetail}</p>
            </div>
          </div>
        </Card>
        <Card
          title="Connecting your own is coming in a later version"
          description={
            withIt.length === 0 ? undefined : (
              <>
                It will be part of the {withIt.join(" and ")} {withIt.length === 1 ? "plan" : "plans"}.{" "}
                {withIt.includes(workspace.plan) ? (
                  "Your workspace is on one of them."
                ) : (
                  <>
                    Your workspace is on the {workspace.plan} plan.{" "}
                    <Link to="/w/$workspaceId/plan" params={{ workspaceId: workspace.id }} className="text-text underline">
                      Compare plans
                    </Link>
                  </>
                )}
              </>
            )
          }
        >
          <ul className="flex list-disc flex-col gap-1.5 pl-5 text-sm text-muted marker:text-line-strong">
            {coming.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Card>
      </div>
    </Page>
  );
}
