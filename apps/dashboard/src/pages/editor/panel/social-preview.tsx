import { ImageOff } from "lucide-react";
import { smallImage } from "../../../lib/small-image.ts";
import { useEditorPage } from "../editor-context.tsx";
import { useCover } from "./use-cover.ts";

/** About how the post looks where someone shares it. */
export function SocialPreview({ title, description, imageUrl }: { title: string; description: string; imageUrl: string | null }) {
  const { content, settings } = useEditorPage();
  const cover = useCover(content.coverMediaId);
  const host = settings.settings.publicUrl ? new URL(settings.settings.publicUrl).hostname : settings.name;
  return (
    <figure aria-label="Preview of a social card" className="overflow-hidden rounded-control border border-line bg-bg">
      <div className="grid aspect-[1.91/1] w-full place-items-center bg-sunken text-[0.8125rem] text-muted">
        {imageUrl ? (
          // Nothing is loaded from elsewhere in the dashboard.
          <p className="max-w-full truncate px-4">{imageUrl}</p>
        ) : cover && !cover.deletedAt ? (
          <img src={smallImage(cover, 640)} alt="" className="size-full object-cover" />
        ) : (
          <ImageOff aria-hidden className="size-6" />
        )}
      </div>
      <figcaption className="px-3.5 py-2.5">
        <p className="truncate text-xs text-muted">{host}</p>
        <p dir="auto" className="truncate text-sm font-medium">
          {title || "Untitled"}
        </p>
        {description && (
          <p dir="auto" className="truncate text-[0.8125rem] text-muted">
            {description}
          </p>
        )}
      </figcaption>
    </figure>
  );
}
