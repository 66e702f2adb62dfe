import { useQueryClient } from "@tanstack/react-query";
import { ImagePlus, Images } from "lucide-react";
import { useRef, useState } from "react";
import type { MediaItem } from "../../../api/answers.ts";
import { useOpPages } from "../../../api/hooks.ts";
import { uploadMedia } from "../../../api/upload.ts";
import { messageOf } from "../../../lib/problem.ts";
import { smallImage } from "../../../lib/small-image.ts";
import { useWebsiteContext } from "../../../shell/website-context.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { Field } from "../../../ui/field.tsx";
import { Input } from "../../../ui/inputs.tsx";
import { LoadMore } from "../../../ui/load-more.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { SearchInput } from "../../../ui/search-input.tsx";
import { Loading } from "../../../ui/spinner.tsx";

export interface PickedImage {
  readonly media: MediaItem;
  /** The alt text where the image is inserted; the image's own alt text stays as it is. */
  readonly alt: string;
}

/** The website's images to choose from, and the way to a new one. */
export function MediaPicker({ onPick, onClose }: { onPick: (image: PickedImage) => void; onClose: () => void }) {
  const { website } = useWebsiteContext();
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<MediaItem | null>(null);
  const [alt, setAlt] = useState("");
  const media = useOpPages("list_media", { websiteId: website.id, limit: 24, ...(search && { nameContains: search }) });
  const choose = (item: MediaItem) => {
    setChosen(item);
    setAlt(item.alt);
  };
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Choose an image"
      width="lg"
      footer={
        <div className="flex w-full flex-wrap items-end gap-3">
          {chosen && (
            <Field label="Alt text" className="min-w-56 flex-1" help="Describes the image for people who cannot see it.">
              {(control) => <Input {...control} maxLength={500} value={alt} onChange={(event) => setAlt(event.target.value)} />}
            </Field>
          )}
          <div className="ml-auto flex gap-2">
            <Button onClick={onClose}>Cancel</Button>
            <Button variant="primary" disabled={!chosen} onClick={() => chosen && onPick({ media: chosen, alt })}>
              Use this image
            </Button>
          </div>
        </div>
      }
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <SearchInput label="Search images" value={search} onSearch={setSearch} className="min-w-48 flex-1" />
          <UploadButton onUploaded={choose} />
        </div>
        {media.isPending ? (
          <Loading />
        ) : media.isLoadingError ? (
          <ErrorState error={media.error} onRetry={() => void media.refetch()} />
        ) : media.items?.length === 0 ? (
          <EmptyState icon={Images} title={search ? "No images found" : "No images yet"}>
            {search ? "Try a shorter search." : "Upload a PNG, JPEG, GIF, WebP or AVIF image."}
          </EmptyState>
        ) : (
          <ul aria-label="Images" className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] gap-3">
            {media.items?.map((item) => (
              <li key={item.id}>
                <button
                  type="button"
                  aria-pressed={chosen?.id === item.id}
                  onClick={() => choose(item)}
                  onDoubleClick={() => onPick({ media: item, alt: item.alt })}
                  className="group flex w-full flex-col gap-1 rounded-control p-1 text-left hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:outline-2 aria-pressed:outline-accent"
                >
                  <img
                    src={smallImage(item, 320)}
                    alt={item.alt}
                    loading="lazy"
                    className="aspect-square w-full rounded-md bg-sunken object-cover"
                  />
                  <span className="truncate px-0.5 text-xs text-muted">{item.filename}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
        <LoadMore query={media} />
      </div>
    </Dialog>
  );
}

function UploadButton({ onUploaded }: { onUploaded: (media: MediaItem) => void }) {
  const { website, may } = useWebsiteContext();
  const client = useQueryClient();
  const picker = useRef<HTMLInputElement>(null);
  const [share, setShare] = useState<number | null>(null);
  const [error, setError] = useState<string | null>(null);
  const upload = async (file: File) => {
    setError(null);
    setShare(0);
    try {
      const media = await uploadMedia(website.id, file, { onProgress: setShare });
      await client.invalidateQueries({ queryKey: ["list_media"] });
      onUploaded(media);
    } catch (failure) {
      setError(messageOf(failure));
    } finally {
      setShare(null);
    }
  };
  if (!may("media.upload")) return null;
  return (
    <>
      <input
        ref={picker}
        type="file"
        accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
        aria-label="Image file"
        tabIndex={-1}
        className="sr-only"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = "";
          if (file) void upload(file);
        }}
      />
      <Button busy={share !== null} onClick={() => picker.current?.click()}>
        {share === null && <ImagePlus aria-hidden />}
        {share === null ? "Upload" : `${Math.round(share * 100)} %`}
      </Button>
      {error && (
        <div className="w-full">
          <Notice tone="danger">{error}</Notice>
        </div>
      )}
    </>
  );
}
