import { ImageOff } from "lucide-react";
import { smallImage } from "../../../lib/small-image.ts";
import { useEditorPage } from "../editor-context.tsx";
import { useCover } from "../panel/use-cover.ts";
import { addressOf } from "../panel/post-address.ts";

/** A card with the parts of the post that will be public. */
export function PublicSummary() {
  const { content, settings, post } = useEditorPage();
  const cover = useCover(content.coverMediaId);
  return (
    <div className="flex gap-4 rounded-control border border-line bg-surface p-3">
      <div className="grid size-16 shrink-0 place-items-center overflow-hidden rounded-md bg-sunken text-muted sm:h-20 sm:w-28">
        {cover && !cover.deletedAt ? (
          <img src={smallImage(cover, 320)} alt="" className="size-full object-cover" />
        ) : (
          <ImageOff aria-hidden className="size-5" />
        )}
      </div>
      <div className="min-w-0 flex-1">
        <p dir="auto" className="line-clamp-2 font-serif text-lg leading-snug font-medium break-words">
          {content.title || "Untitled"}
        </p>
        <p className="mt-0.5 truncate text-[0.8125rem] text-muted">{addressOf(settings, content.slug)}</p>
        {content.excerpt && (
          <p dir="auto" className="mt-1 line-clamp-2 text-sm break-words text-muted">
            {content.excerpt}
          </p>
        )}
        {post.status === "published" && post.live && post.live.content.slug !== content.slug && (
          <p className="mt-1 text-[0.8125rem] text-muted">The old address /{post.live.content.slug} will redirect here.</p>
        )}
      </div>
    </div>
  );
}
