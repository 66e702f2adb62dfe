import { useOp } from "../../api/hooks.ts";
import { NotInPlan } from "../../shell/not-in-plan.tsx";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Card } from "../../ui/card.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { DatabaseSteps } from "./database-steps.tsx";
import { LeftContent } from "./left-content.tsx";
import { WhereContentIs } from "./where-content-is.tsx";
import type { ContentDatabase } from "./words.ts";

const MOVING_MILLIS = 1_500;
const RESTING_MILLIS = 20_000;

const isMoving = (content: ContentDatabase | undefined): boolean =>
  content?.move?.state === "running" || content?.fetching?.state === "running";

export function ContentDatabasePage() {
  const { website, workspace } = useWebsiteContext();
  const here = { websiteId: website.id };
  const content = useOp("get_own_database", here, {
    refetchInterval: ({ state }) => (isMoving(state.data) ? MOVING_MILLIS : RESTING_MILLIS),
  });
  const isConnected = content.data?.database != null;
  // Asked for apart: a database that is away takes seconds to be found so.
  const check = useOp("check_own_database", here, { enabled: isConnected, refetchInterval: RESTING_MILLIS });
  const usage = useOp("get_usage", { workspaceId: workspace.id });
  const checked = isConnected ? check.data : undefined;
  return (
    <Page title="Content database" description="Where the posts, categories, tags and authors of this website are kept.">
      <div className="flex max-w-3xl flex-col gap-6">
        {content.isLoadingError && <ErrorState error={content.error} onRetry={() => void content.refetch()} />}
        {content.isPending && <Loading />}
        {content.data && (
          <>
            <WhereContentIs content={content.data} check={checked} />
            <LeftContent content={content.data} check={checked} />
            {content.data.impossible !== null ? (
              <Notice title="Your own database is not possible on this server">{content.data.impossible}</Notice>
            ) : isConnected || usage.data?.limits.ownDatabase ? (
              <Card title="Your own database">
                <DatabaseSteps content={content.data} check={checked} />
              </Card>
            ) : (
              usage.data && <NotInPlan feature="your own database" />
            )}
          </>
        )}
      </div>
    </Page>
  );
}
