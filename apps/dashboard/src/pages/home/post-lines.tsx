import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWebsiteContext } from "../../shell/website-context.ts";

export interface PostLine {
  readonly id: string;
  readonly title: string;
  readonly about: ReactNode;
}

/** Posts of a card on the home page, each a line that opens it. */
export function PostLines({ lines }: { lines: readonly PostLine[] }) {
  const { website } = useWebsiteContext();
  return (
    <ul className="-mx-2 -my-1.5 flex flex-col">
      {lines.map(({ id, title, about }) => (
        <li key={id}>
          <Link
            to="/s/$websiteId/posts/$postId"
            params={{ websiteId: website.id, postId: id }}
            className="flex flex-wrap items-baseline justify-between gap-x-4 rounded-md px-2 py-1.5 hover:bg-hover"
          >
            <span dir="auto" className="min-w-0 truncate text-sm font-medium">
              {title.trim() || <em className="text-muted">Untitled</em>}
            </span>
            <span className="flex items-center gap-2 text-[0.8125rem] text-muted">{about}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
