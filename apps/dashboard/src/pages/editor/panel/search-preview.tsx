import { useEditorPage } from "../editor-context.tsx";
import { addressOf } from "./post-address.ts";

/** About how a search result looks. */
export function SearchPreview({ title, description }: { title: string; description: string }) {
  const { content, settings } = useEditorPage();
  return (
    <figure aria-label="Preview of a search result" className="rounded-control border border-line bg-bg px-3.5 py-3">
      <p className="truncate text-xs text-muted">{addressOf(settings, content.slug)}</p>
      <p dir="auto" className="mt-0.5 truncate text-[1.0625rem] leading-snug text-info">
        {title || "Untitled"}
      </p>
      <p dir="auto" className="mt-0.5 line-clamp-2 text-[0.8125rem] break-words text-muted">
        {description || "Without a description, search engines pick a sentence from the text."}
      </p>
    </figure>
  );
}
