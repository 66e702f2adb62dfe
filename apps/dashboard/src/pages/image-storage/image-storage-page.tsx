import { Images } from "lucide-react";
import { useOp } from "../../api/hooks.ts";
import { formatBytes, plural } from "../../lib/format.ts";
import { NotInPlan } from "../../shell/not-in-plan.tsx";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { StorageSteps } from "./storage-steps.tsx";
import type { ImageStorage } from "./words.ts";

const MOVING_MILLIS = 1_500;
const RESTING_MILLIS = 20_000;

export function ImageStoragePage() {
  const { website, workspace } = useWebsiteContext();
  const storage = useOp(
    "get_image_store",
    { websiteId: website.id },
    { refetchInterval: ({ state }) => (state.data?.move?.state === "running" ? MOVING_MILLIS : RESTING_MILLIS) },
  );
  const usage = useOp("get_usage", { workspaceId: workspace.id });
  return (
    <Page title="Image storage" description="Where the images of this website are kept. Their addresses never change.">
      <div className="flex max-w-3xl flex-col gap-6">
        {storage.isLoadingError && <ErrorState error={storage.error} onRetry={() => void storage.refetch()} />}
        {storage.isPending && <Loading />}
        {storage.data && (
          <>
            <Now storage={storage.data} />
            {storage.data.store || usage.data?.limits.ownImageStore ? (
              <Card title="Your own storage">
                <StorageSteps storage={storage.data} />
              </Card>
            ) : (
              usage.data && <NotInPlan feature="your own image storage" />
            )}
          </>
        )}
      </div>
    </Page>
  );
}

/** Where images are at this moment, and whether that is in order. */
function Now({ storage: { store, own, managed } }: { storage: ImageStorage }) {
  const isOwn = store !== null && (store.state === "active" || own.files > 0);
  const counts = [
    (managed.files > 0 || !store) && `${plural(managed.files, "image")} (${formatBytes(managed.bytes)}) with Stet`,
    store && own.files > 0 && `${plural(own.files, "image")} (${formatBytes(own.bytes)}) in your storage`,
  ].filter(Boolean);
  return (
    <Card>
      <div className="flex items-start gap-4">
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-ok-soft text-ok">
          <Images aria-hidden className="size-5" />
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="flex flex-wrap items-center gap-2 text-[0.9375rem] font-semibold break-all">
            {isOwn ? store.place : "Stet’s own storage"}{" "}
            {store?.state === "leaving" ? <Badge tone="warn">Disconnecting</Badge> : <Badge tone="ok">In use</Badge>}
          </h2>
          <p className="mt-1 text-sm text-muted">{counts.length > 0 ? `${counts.join(", ")}.` : "No images yet."}</p>
        </div>
      </div>
      {store?.error && (
        <div className="mt-4">
          <Notice tone="danger" title="Your storage did not answer">
            {store.error} Images in it cannot be shown until it answers again.
          </Notice>
        </div>
      )}
      {!store && own.files > 0 && (
        <div className="mt-4">
          <Notice tone="warn" title={`${plural(own.files, "image")} missing`}>
            Missing since the storage was disconnected. Connect it again, or delete the missing images in the media library.
          </Notice>
        </div>
      )}
    </Card>
  );
}
