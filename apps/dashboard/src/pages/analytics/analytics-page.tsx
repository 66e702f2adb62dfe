import { Link, useSearch } from "@tanstack/react-router";
import { useOp } from "../../api/hooks.ts";
import type { Output } from "../../api/wire.ts";
import { cn } from "../../lib/cn.ts";
import { formatNumber, plural } from "../../lib/format.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { BarList } from "../../ui/bar-list.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { LineChart } from "../../ui/line-chart.tsx";
import { Page } from "../../ui/page.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { Trend } from "../../ui/trend.tsx";
import { PERIODS, type Period, readPeriodSearch } from "./period.ts";
import { TrackerHelp } from "./tracker-help.tsx";
import { TrafficCard } from "./traffic-card.tsx";

export function AnalyticsPage() {
  const { website } = useWebsiteContext();
  // Read again: the router passes on what an address says beside what the route knows.
  const { period = "30d" } = readPeriodSearch(useSearch({ from: "/signed-in/s/$websiteId/shell/analytics" }));
  const views = useOp("get_views", { websiteId: website.id, period }, { keepPrevious: true });
  return (
    <Page title="Analytics" description="How often your posts are read. Days are in UTC." actions={<Periods now={period} />}>
      {views.isPending ? (
        <Loading />
      ) : views.isLoadingError ? (
        <ErrorState error={views.error} onRetry={() => void views.refetch()} />
      ) : views.data.total === 0 && views.data.previousTotal === 0 ? (
        <TrackerHelp period={views.data.period} />
      ) : (
        <div className={cn("flex flex-col gap-5 transition-opacity", views.isPlaceholderData && "opacity-60")}>
          <Views views={views.data} />
        </div>
      )}
      <TrafficCard period={period} />
    </Page>
  );
}

function Periods({ now }: { now: Period }) {
  const { website } = useWebsiteContext();
  return (
    <nav aria-label="Period" className="flex rounded-control border border-line bg-surface p-0.5">
      {PERIODS.map(({ period, label }) => (
        <Link
          key={period}
          to="/s/$websiteId/analytics"
          params={{ websiteId: website.id }}
          search={period === "30d" ? {} : { period }}
          aria-current={period === now ? "page" : undefined}
          className={cn(
            "rounded-md px-3 py-1.5 text-[0.8125rem] text-muted hover:text-text",
            period === now && "bg-hover font-medium text-text",
          )}
        >
          {label}
        </Link>
      ))}
    </nav>
  );
}

function Views({ views: { period, days, total, previousTotal, posts, referrers } }: { views: Output<"get_views"> }) {
  const { website } = useWebsiteContext();
  const length = `${days.length} days`;
  const unlisted = total - referrers.reduce((sum, { views }) => sum + views, 0);
  return (
    <>
      <Card title="Views">
        <p className="mb-6 flex flex-wrap items-baseline gap-x-4 gap-y-1">
          <span className="font-serif text-4xl tabular-nums">{formatNumber(total)}</span>
          <Trend now={total} before={previousTotal} period={length} />
        </p>
        <LineChart
          key={period}
          label="Views per day"
          summary={`${plural(total, "view")} in the last ${length}`}
          points={days.map(({ day, views }) => ({ day, value: views }))}
        />
      </Card>
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
        <Card title="Most read posts">
          {posts.length === 0 ? (
            <p className="text-sm text-muted">No views in this period.</p>
          ) : (
            <BarList
              label="Most read posts"
              unit={(value) => plural(value, "view")}
              bars={posts.map(({ postId, title, views }) => ({
                key: postId,
                value: views,
                label:
                  title === null ? (
                    <span className="text-muted">A post that is no longer published</span>
                  ) : (
                    <Link to="/s/$websiteId/posts/$postId" params={{ websiteId: website.id, postId }} className="hover:underline">
                      {title || "Untitled"}
                    </Link>
                  ),
              }))}
            />
          )}
        </Card>
        <Card title="Where readers come from">
          {referrers.length === 0 ? (
            <p className="text-sm text-muted">No referrers in this period. Views without a referrer are not listed.</p>
          ) : (
            <>
              <BarList
                label="Referrers"
                unit={(value) => plural(value, "view")}
                bars={referrers.map(({ referrer, views }) => ({ key: referrer, label: referrer, value: views }))}
              />
              {unlisted > 0 && (
                <p className="mt-4 text-[0.8125rem] text-muted">
                  {plural(unlisted, "other view")} came without a referrer, or from sites not listed here.
                </p>
              )}
            </>
          )}
        </Card>
      </div>
    </>
  );
}
