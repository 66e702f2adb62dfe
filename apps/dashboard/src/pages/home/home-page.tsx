import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useOp } from "../../api/hooks.ts";
import type { Output } from "../../api/wire.ts";
import { formatNumber, plural } from "../../lib/format.ts";
import { formatDateTime } from "../../lib/time.ts";
import { useNewPost } from "../../shell/new-post.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { LineChart } from "../../ui/line-chart.tsx";
import { Page, useDocumentTitle } from "../../ui/page.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { Alerts } from "./alerts.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { greeting } from "./greeting.ts";
import { PostLines } from "./post-lines.tsx";
import { RecentActivity } from "./recent-activity.tsx";
import { UsageCard } from "./usage-card.tsx";
import { WaitingSuggestions } from "./waiting-suggestions.tsx";

/** In place of what only the content database knows, while it does not answer. An alert says why. */
const AWAY = "Cannot be shown right now.";

type Home = Output<"get_home">;

export function HomePage() {
  const { website, session, may } = useWebsiteContext();
  const newPost = useNewPost();
  const home = useOp("get_home", { websiteId: website.id });
  const [hello] = useState(() => greeting(session.user.name, new Date()));
  // Among other tabs a greeting says little.
  useDocumentTitle("Home");
  return (
    <Page
      title={hello}
      actions={
        may("post.create") && (
          <Button variant="primary" onClick={() => void newPost()}>
            <Plus aria-hidden /> New post
          </Button>
        )
      }
    >
      {home.isPending ? (
        <Loading />
      ) : home.isLoadingError ? (
        <ErrorState error={home.error} onRetry={() => void home.refetch()} />
      ) : (
        <HomeCards home={home.data} />
      )}
    </Page>
  );
}

function HomeCards({ home }: { home: Home }) {
  const { website, workspace, may } = useWebsiteContext();
  const settings = useOp("get_website", { websiteId: website.id }).data?.settings;
  const posts = home.counts && Object.values(home.counts).reduce((sum, count) => sum + count, 0);
  if (posts === 0) {
    return (
      <>
        <Alerts alerts={home.alerts} />
        <WaitingSuggestions />
        <FirstSteps />
        <div className="max-w-md">
          <UsageCard />
        </div>
      </>
    );
  }
  const waiting = home.waitingForReview;
  return (
    <>
      <Alerts alerts={home.alerts} />
      <WaitingSuggestions />
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1.9fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-5">
          <Card title="Continue writing" action={<PostsLink to="drafts">View all</PostsLink>}>
            {home.continueWriting.length === 0 ? (
              <Nothing>{home.counts ? "No drafts." : AWAY}</Nothing>
            ) : (
              <PostLines
                lines={home.continueWriting.map((post) => ({
                  id: post.id,
                  title: post.working.title,
                  about: (
                    <>
                      {post.hasUnpublishedChanges && <Badge tone="accent">Unpublished changes</Badge>}
                      {post.review && <Badge tone="info">Waiting for review</Badge>}
                      <TimeAgo at={post.editedAt} />
                    </>
                  ),
                }))}
              />
            )}
          </Card>
          {waiting && waiting.count > 0 && (
            <Card
              title={`Waiting for review (${waiting.hasMore ? `over ${waiting.count}` : waiting.count})`}
              action={<PostsLink review>View all</PostsLink>}
            >
              <PostLines
                lines={waiting.posts.map((post) => ({
                  id: post.id,
                  title: post.working.title,
                  about: post.review && <TimeAgo at={post.review.requestedAt} />,
                }))}
              />
            </Card>
          )}
          <ViewsCard views={home.views} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <Card
            title="Scheduled"
            action={
              <Link to="/s/$websiteId/calendar" params={{ websiteId: website.id }} className={more}>
                Calendar
              </Link>
            }
          >
            {home.scheduled.length === 0 ? (
              <Nothing>{home.counts ? "No scheduled posts." : AWAY}</Nothing>
            ) : (
              <PostLines
                lines={home.scheduled.map(({ id, title, at }) => ({
                  id,
                  title,
                  about: <time dateTime={at}>{formatDateTime(at, settings?.timeZone)}</time>,
                }))}
              />
            )}
          </Card>
          <Card
            title={may("activity.read") ? "Recent activity" : "Recent activity on your posts"}
            action={
              may("activity.read") && (
                <Link to="/w/$workspaceId/activity" params={{ workspaceId: workspace.id }} className={more}>
                  View all
                </Link>
              )
            }
          >
            {home.activity.length === 0 ? <Nothing>No activity yet.</Nothing> : <RecentActivity entries={home.activity} />}
          </Card>
          <UsageCard />
        </div>
      </div>
    </>
  );
}

function ViewsCard({ views }: { views: Home["views"] }) {
  const { website } = useWebsiteContext();
  return (
    <Card
      title="Views in the last 30 days"
      action={
        <Link to="/s/$websiteId/analytics" params={{ websiteId: website.id }} className={more}>
          Analytics
        </Link>
      }
    >
      {views.total === 0 ? (
        <Nothing>
          No views yet.{" "}
          <Link to="/s/$websiteId/analytics" params={{ websiteId: website.id }} className="text-text underline">
            Set up view tracking
          </Link>
        </Nothing>
      ) : (
        <>
          <p className="mb-5 font-serif text-3xl tabular-nums">{formatNumber(views.total)}</p>
          <LineChart
            label="Views per day"
            summary={`${plural(views.total, "view")} in the last 30 days`}
            points={views.days.map((day) => ({ day: day.day, value: day.views }))}
          />
        </>
      )}
    </Card>
  );
}

const more = "shrink-0 text-sm text-muted hover:text-text hover:underline";

function PostsLink({ to, review, children }: { to?: "drafts"; review?: true; children: ReactNode }) {
  const { website } = useWebsiteContext();
  return (
    <Link
      to="/s/$websiteId/posts"
      params={{ websiteId: website.id }}
      search={{ ...(to && { tab: to }), ...(review && { review }) }}
      className={more}
    >
      {children}
    </Link>
  );
}

const Nothing = ({ children }: { children: ReactNode }) => <p className="text-sm text-muted">{children}</p>;
