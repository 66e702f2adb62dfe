import { Link } from "@tanstack/react-router";
import { Merge, MoreHorizontal, Pencil, Trash2 } from "lucide-react";
import type { Term } from "../../api/answers.ts";
import { plural } from "../../lib/format.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { IconButton } from "../../ui/button.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";

/** An action on one term. */
export type TermAction = "edit" | "merge" | "delete";

export function TermRow({ term, onAct }: { term: Term; onAct: (action: TermAction) => void }) {
  const { website, may } = useWebsiteContext();
  return (
    <li className="flex items-center gap-3 px-4 py-3">
      <div className="min-w-0 flex-1">
        {may("term.manage") ? (
          <button type="button" className="block max-w-full truncate font-medium hover:underline" onClick={() => onAct("edit")}>
            {term.name}
          </button>
        ) : (
          <p className="truncate font-medium">{term.name}</p>
        )}
        <p className="truncate text-[0.8125rem] text-muted">
          /{term.slug}
          {term.description && ` · ${term.description}`}
        </p>
      </div>
      <Link
        to="/s/$websiteId/posts"
        params={{ websiteId: website.id }}
        search={{ [term.kind]: term.id }}
        className="shrink-0 text-sm text-muted tabular-nums hover:text-text hover:underline"
      >
        {plural(term.postCount, "post")}
      </Link>
      {may("term.manage") && (
        <Menu
          trigger={
            <IconButton label={`Actions for ${term.name}`} size="sm">
              <MoreHorizontal />
            </IconButton>
          }
        >
          <MenuItem onSelect={() => onAct("edit")}>
            <Pencil aria-hidden /> Edit
          </MenuItem>
          {may("term.delete") && (
            <>
              <MenuItem onSelect={() => onAct("merge")}>
                <Merge aria-hidden /> Merge …
              </MenuItem>
              <MenuSeparator />
              <MenuItem danger onSelect={() => onAct("delete")}>
                <Trash2 aria-hidden /> Delete
              </MenuItem>
            </>
          )}
        </Menu>
      )}
    </li>
  );
}
