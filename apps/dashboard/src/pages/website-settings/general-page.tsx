import { useOp } from "../../api/hooks.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { ErrorState } from "../../ui/error-state.tsx";
import { Page } from "../../ui/page.tsx";
import { Skeleton } from "../../ui/spinner.tsx";
import { DeleteWebsiteCard } from "./delete-website-card.tsx";
import { GeneralForm } from "./general-form.tsx";

export function GeneralPage() {
  const { website, may } = useWebsiteContext();
  const found = useOp("get_website", { websiteId: website.id });
  return (
    <Page title="General" description="Name, addresses, and instructions for assistants.">
      <div className="flex max-w-3xl flex-col gap-6">
        {found.data ? (
          <GeneralForm website={found.data} />
        ) : found.error ? (
          <ErrorState error={found.error} onRetry={() => void found.refetch()} />
        ) : (
          <>
            <Skeleton className="h-80" />
            <Skeleton className="h-56" />
          </>
        )}
        {found.data && may("website.delete") && <DeleteWebsiteCard />}
      </div>
    </Page>
  );
}
