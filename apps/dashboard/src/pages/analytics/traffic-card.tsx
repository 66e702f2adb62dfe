import { Link } from "@tanstack/react-router";
import { Lock } from "lucide-react";
import { useOp } from "../../api/hooks.ts";
import type { Output } from "../../api/wire.ts";
import { formatNumber, plural } from "../../lib/format.ts";
import { isOwnServer } from "../../lib/plan-words.ts";
import { isProblem } from "../../lib/problem.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { BarList } from "../../ui/bar-list.tsx";
import { buttonClass } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Skeleton } from "../../ui/spinner.tsx";
import type { Period } from "./period.ts";
import { StatusMix } from "./status-mix.tsx";

const TITLE = "API traffic";

/** The requests of websites, by endpoint and kind of response. */
export function TrafficCard({ period }: { period: Period }) {
  const { website, workspace } = useWebsiteContext();
  const usage = useOp("get_usage", { workspaceId: workspace.id });
  const isOffered = usage.data?.limits.trafficPerEndpoint;
  const traffic = useOp(
    "get_traffic",
    { websiteId: website.id, period },
    // Data that the plan does not include is not requested. If the plan is unknown, the server's answer decides.
    { keepPrevious: true, enabled: isOffered ?? usage.isLoadingError },
  );
  if (isOffered === false || isProblem(traffic.error, "PLAN_REQUIRED")) return isOwnServer(workspace.plan) ? null : <Preview />;
  return (
    <Card title={TITLE} description="API requests from your website, by route.">
      {traffic.isLoadingError ? (
        <ErrorState error={traffic.error} onRetry={() => void traffic.refetch()} />
      ) : traffic.isPending ? (
        <Skeleton className="h-40" />
      ) : traffic.data.total === 0 ? (
        <p className="text-sm text-muted">No requests in this period.</p>
      ) : (
        <Traffic traffic={traffic.data} />
      )}
    </Card>
  );
}

function Traffic({ traffic: { total, byStatus, routes } }: { traffic: Pick<Output<"get_traffic">, "total" | "byStatus" | "routes"> }) {
  return (
    <div className="flex flex-col gap-5">
      <div className="flex flex-col gap-3">
        <p className="font-serif text-3xl tabular-nums">
          {formatNumber(total)} <span className="font-sans text-sm text-muted">{total === 1 ? "request" : "requests"}</span>
        </p>
        <StatusMix byStatus={byStatus} total={total} />
      </div>
      <BarList
        label="Requests by route"
        unit={(value) => plural(value, "request")}
        bars={routes.map(({ route, requests, byStatus: ofRoute }) => ({
          key: route,
          label: <code className="font-mono text-[0.8125rem]">{route}</code>,
          value: requests,
          note: <Refused byStatus={ofRoute} total={requests} />,
        }))}
      />
    </div>
  );
}

/** The share of answers that were errors, where there were any. */
function Refused({ byStatus, total }: { byStatus: readonly { statusClass: number; requests: number }[]; total: number }) {
  const refused = byStatus.filter(({ statusClass }) => statusClass >= 4).reduce((sum, { requests }) => sum + requests, 0);
  if (refused === 0) return null;
  const percent = (refused / total) * 100;
  return <span className="text-[0.8125rem] text-danger">{percent < 1 ? "under 1" : Math.round(percent)} % errors</span>;
}

const EXAMPLE = {
  total: 48_210,
  byStatus: [
    { statusClass: 2, requests: 41_870, perDay: [] },
    { statusClass: 3, requests: 5_420, perDay: [] },
    { statusClass: 4, requests: 920, perDay: [] },
  ],
  routes: [
    { route: "/blog/posts/{slugOrId}", requests: 30_115, perDay: [], byStatus: [{ statusClass: 4, requests: 640 }] },
    { route: "/blog/posts", requests: 14_090, perDay: [], byStatus: [] },
    { route: "/blog/categories", requests: 4_005, perDay: [], byStatus: [] },
  ],
};

/** An example of the chart, marked as one, behind a link to the plan that includes it. */
function Preview() {
  const { workspace, may } = useWebsiteContext();
  return (
    <Card title={TITLE} description="Which routes your website calls, how often, and with what result.">
      <div className="relative">
        <div aria-hidden inert className="pointer-events-none opacity-35 blur-[3px] select-none">
          <Traffic traffic={EXAMPLE} />
        </div>
        <div className="absolute inset-0 grid place-items-center">
          <div className="flex max-w-sm flex-col items-center gap-2 rounded-card border border-line bg-raised px-6 py-5 text-center shadow-raised">
            <Lock aria-hidden className="size-5 text-muted" />
            <h3 className="font-medium">Included in Starter and Team</h3>
            <p className="text-sm text-muted">See what breaks and what is busy, route by route. The numbers behind this are an example.</p>
            {may("plan.change") ? (
              <Link
                to="/w/$workspaceId/plan"
                params={{ workspaceId: workspace.id }}
                className={buttonClass({ variant: "primary", size: "sm" })}
              >
                Compare plans
              </Link>
            ) : (
              <p className="text-sm text-muted">The owner of the workspace can change its plan.</p>
            )}
          </div>
        </div>
      </div>
    </Card>
  );
}
