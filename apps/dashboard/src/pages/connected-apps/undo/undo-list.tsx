import { Link } from "@tanstack/react-router";
import { useWorkspaceContext } from "../../../shell/website-context.ts";
import { kindWords, leftWords, stepWords, type UndoItem } from "./undo-words.ts";

/** The changes that are undone, and those that stay, with the reason. */
export function UndoList({ items, isDone }: { items: readonly UndoItem[]; isDone: boolean }) {
  const back = items.filter(({ left }) => left === null);
  const stays = items.filter(({ left }) => left !== null);
  return (
    <div className="flex flex-col gap-5">
      {back.length > 0 && <Group title={isDone ? "Undone" : "Will be undone"} items={back} />}
      {stays.length > 0 && <Group title={isDone ? "Skipped" : "Will be skipped"} items={stays} />}
    </div>
  );
}

function Group({ title, items }: { title: string; items: readonly UndoItem[] }) {
  return (
    <section aria-label={title} className="flex flex-col gap-2">
      <h3 className="text-[0.8125rem] font-medium text-muted">
        {title} ({items.length})
      </h3>
      <ul className="divide-y divide-line rounded-control border border-line">
        {items.map((item) => (
          <li key={item.id} className="flex flex-col gap-0.5 px-3.5 py-2.5 text-sm">
            <Name item={item} />
            <span className="text-[0.8125rem] text-muted">{item.left ? leftWords(item.left) : stepWords(item)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Name({ item }: { item: UndoItem }) {
  const { workspace } = useWorkspaceContext();
  const website = workspace.websites.length > 1 ? workspace.websites.find(({ id }) => id === item.websiteId)?.name : undefined;
  const isPost = item.id.startsWith("post_");
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">
      {isPost && item.left?.because !== "gone" && item.label ? (
        <Link
          to="/s/$websiteId/posts/$postId"
          params={{ websiteId: item.websiteId, postId: item.id }}
          target="_blank"
          className="min-w-0 font-medium break-words hover:underline"
        >
          {item.label}
        </Link>
      ) : (
        <span className="min-w-0 font-medium break-words">{item.label || (isPost ? "A post" : "Untitled")}</span>
      )}
      <span className="text-xs text-muted">{website ? `${kindWords(item)}, ${website}` : kindWords(item)}</span>
    </span>
  );
}
