import { useOp } from "../../api/hooks.ts";
import { formatNumber } from "../../lib/format.ts";
import { messageOf } from "../../lib/problem.ts";
import { formatDateTime } from "../../lib/time.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Notice } from "../../ui/notice.tsx";
import { Loading } from "../../ui/spinner.tsx";

/** What the copy lacks to which the website would return, as far as it is known. */
export function MissingContent() {
  const { website } = useWebsiteContext();
  const list = useOp("list_missing_content", { websiteId: website.id });
  if (list.isLoadingError) return <Notice tone="danger">{messageOf(list.error)}</Notice>;
  if (!list.data) return <Loading />;
  const { copyOf, changes, total, heldBack } = list.data;
  return (
    <>
      <p>
        Your website returns to the copy from {copyOf ? formatDateTime(copyOf) : "before it was activated"}. Everything written since then
        will be missing. If the database comes back, connect it again to fetch its content.
      </p>
      {total > 0 ? (
        <>
          <p className="mt-2">Changed since then:</p>
          <Listed
            label="Missing changes"
            items={changes.map(({ kind, id, title, at, visible }) => ({ id, title: title ?? "Untitled", at, note: noteOf(kind, visible) }))}
          />
          {total > changes.length && <p className="mt-2">And {formatNumber(total - changes.length)} more.</p>}
        </>
      ) : (
        <p className="mt-2">No known changes since then.</p>
      )}
      {heldBack.length > 0 && (
        <>
          <p className="mt-2">These posts were scheduled for a time that has passed. They will not be published until you publish them:</p>
          <Listed
            label="Overdue posts"
            items={heldBack.map(({ postId: id, title, at }) => ({ id, title: title || "Untitled", at, note: null }))}
          />
        </>
      )}
    </>
  );
}

const NAMES = { post: "Not published", category: "Category", tag: "Tag", author: "Author", media: "Image" } as const;

/** What kind of thing it is, where that is not plain; posts that readers saw need no word. */
const noteOf = (kind: keyof typeof NAMES, visible: boolean): string | null => (visible ? null : NAMES[kind]);

interface Item {
  readonly id: string;
  readonly title: string;
  readonly at: string;
  readonly note: string | null;
}

const Listed = ({ label, items }: { label: string; items: readonly Item[] }) => (
  <ul tabIndex={0} aria-label={label} className="mt-2 max-h-40 overflow-y-auto rounded-control border border-line px-3 py-2">
    {items.map(({ id, title, at, note }) => (
      <li key={id} className="flex justify-between gap-3">
        <span className="min-w-0 truncate">
          {title}
          {note && <span className="text-muted"> · {note}</span>}
        </span>
        <span className="shrink-0 tabular-nums">{formatDateTime(at)}</span>
      </li>
    ))}
  </ul>
);
