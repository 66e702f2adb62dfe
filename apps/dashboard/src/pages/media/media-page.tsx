import { ImagePlus, ImageUp } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import type { MediaItem } from "../../api/answers.ts";
import { useOp, useOpPages } from "../../api/hooks.ts";
import { formatBytes } from "../../lib/format.ts";
import { smallImage } from "../../lib/small-image.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Gauge } from "../../ui/gauge.tsx";
import { Select } from "../../ui/inputs.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { Page } from "../../ui/page.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { DropZone } from "./drop-zone.tsx";
import { EmptyTrash } from "./empty-trash.tsx";
import { MediaDialog } from "./media-dialog.tsx";
import { StorageNotice } from "./storage-notice.tsx";
import { UploadList } from "./upload-list.tsx";
import { useUploads } from "./use-uploads.ts";

const SHOWN = { all: {}, withoutAlt: { withoutAlt: true }, unused: { unused: true }, trash: { trashed: true } } as const;
const EMPTY = {
  all: {
    title: "No images yet",
    text: "Drop images anywhere on this page, or choose files. PNG, JPEG, GIF, WebP and AVIF up to 20 MB each.",
  },
  withoutAlt: { title: "Every image has alt text", text: "Images without alt text appear here." },
  unused: { title: "Every image is in use", text: "Images that no post or author uses appear here." },
  trash: { title: "The trash is empty", text: "Deleted images stay here for 30 days and can be restored." },
} as const;

export function MediaPage() {
  const { website, workspace, may } = useWebsiteContext();
  const [search, setSearch] = useState("");
  const [shown, setShown] = useState<keyof typeof SHOWN>("all");
  const [openId, setOpenId] = useState<string | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const uploads = useUploads(website.id);
  const media = useOpPages("list_media", { websiteId: website.id, limit: 48, ...(search && { nameContains: search }), ...SHOWN[shown] });
  const usage = useOp("get_usage", { workspaceId: workspace.id });
  // A page of unused images can be empty while others follow: the server looks at a thousand at a time.
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = media;
  const isLooking = media.items?.length === 0 && hasNextPage && !isFetchNextPageError;
  useEffect(() => {
    if (isLooking && !isFetchingNextPage) void fetchNextPage();
  }, [isLooking, isFetchingNextPage, fetchNextPage]);
  const mayUpload = may("media.upload");
  const choose = mayUpload && (
    <Button variant="primary" onClick={() => picker.current?.click()}>
      <ImageUp aria-hidden />
      Upload images
    </Button>
  );

  return (
    <DropZone onFiles={uploads.add} disabled={!mayUpload}>
      <Page title="Media" description="The images of this website." actions={choose}>
        <input
          ref={picker}
          type="file"
          multiple
          accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
          aria-label="Image files"
          tabIndex={-1}
          className="sr-only"
          onChange={(event) => {
            uploads.add([...(event.target.files ?? [])]);
            event.target.value = "";
          }}
        />
        <div className="flex flex-wrap items-end gap-3">
          <SearchInput label="Search images" value={search} onSearch={setSearch} className="min-w-36 flex-1 sm:max-w-sm" />
          <Select
            aria-label="Filter images"
            className="w-40"
            value={shown}
            onChange={(event) => setShown(event.target.value as keyof typeof SHOWN)}
          >
            <option value="all">All images</option>
            <option value="withoutAlt">No alt text</option>
            <option value="unused">Not used</option>
            <option value="trash">Trash</option>
          </Select>
          {shown === "trash" && may("media.delete") && (media.items?.length ?? 0) > 0 && <EmptyTrash />}
          {usage.data && (
            <div className="w-full sm:ml-auto sm:max-w-56">
              <Gauge label="Storage" used={usage.data.storageBytes} limit={usage.data.limits.storageBytes} format={formatBytes} />
            </div>
          )}
        </div>
        {usage.data && mayUpload && <StorageNotice usage={usage.data} />}
        <UploadList uploads={uploads} />
        {media.isPending || isLooking ? (
          <Loading />
        ) : media.isLoadingError ? (
          <ErrorState error={media.error} onRetry={() => void media.refetch()} />
        ) : media.items?.length === 0 ? (
          <EmptyState
            icon={ImagePlus}
            title={search ? `No images match “${search}”` : EMPTY[shown].title}
            action={!search && shown === "all" && choose}
          >
            {search ? "Try a shorter search." : EMPTY[shown].text}
          </EmptyState>
        ) : (
          <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3 lg:grid-cols-4 xl:grid-cols-5">
            {media.items?.map((item) => (
              <Tile key={item.id} item={item} onOpen={() => setOpenId(item.id)} />
            ))}
          </ul>
        )}
        {!isLooking && <LoadMore query={media} />}
        {openId && <MediaDialog mediaId={openId} onClose={() => setOpenId(null)} />}
      </Page>
    </DropZone>
  );
}

function Tile({ item, onOpen }: { item: MediaItem; onOpen: () => void }) {
  return (
    <li>
      <button
        type="button"
        onClick={onOpen}
        className="group flex w-full flex-col overflow-hidden rounded-card border border-line bg-surface text-left hover:border-line-strong"
      >
        <span className="grid aspect-4/3 w-full place-items-center overflow-hidden bg-sunken">
          {item.deletedAt ? (
            <span className="text-xs text-muted">In the trash</span>
          ) : (
            <img src={smallImage(item, 480)} alt={item.alt} loading="lazy" decoding="async" className="size-full object-cover" />
          )}
        </span>
        <span className="flex w-full items-baseline justify-between gap-2 px-3 py-2 text-[0.8125rem]">
          <span className="truncate">{item.filename}</span>
          {!item.alt && !item.deletedAt && <span className="shrink-0 text-xs text-warn">no alt text</span>}
        </span>
      </button>
    </li>
  );
}
