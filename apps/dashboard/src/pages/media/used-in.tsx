import { Link } from "@tanstack/react-router";
import type { Output } from "../../api/wire.ts";
import { plural } from "../../lib/format.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { StatusBadge } from "../../ui/badge.tsx";

/** "2 posts and the portrait of Ada". Counts of zero are left out. */
export function usesOf({ postCount, authors }: Output<"get_media">["usedIn"]): string {
  const portraits = authors.length > 0 ? [`the portrait of ${authors.map(({ name }) => name).join(", ")}`] : [];
  return [...(postCount > 0 ? [plural(postCount, "post")] : []), ...portraits].join(" and ");
}

/** The posts and authors that show an image, for a person who is about to change or delete it. */
export function UsedIn({ use }: { use: Output<"get_media">["usedIn"] }) {
  const { website } = useWebsiteContext();
  return (
    <div className="text-sm">
      <h3 className="font-medium">Used in</h3>
      {use.postCount === 0 && use.authors.length === 0 && <p className="mt-1 text-muted">Not used anywhere.</p>}
      <ul className="mt-1 flex flex-col gap-1">
        {use.posts.map((post) => (
          <li key={post.id} className="flex items-center justify-between gap-3">
            <Link
              to="/s/$websiteId/posts/$postId"
              params={{ websiteId: website.id, postId: post.id }}
              className="min-w-0 truncate underline decoration-line-strong underline-offset-3 hover:decoration-accent"
            >
              {post.title || "Untitled"}
            </Link>
            <StatusBadge status={post.status} />
          </li>
        ))}
        {use.authors.map((author) => (
          <li key={author.id}>Portrait of {author.name}</li>
        ))}
      </ul>
      {use.postCount > use.posts.length && <p className="mt-1 text-muted">and {use.postCount - use.posts.length} more</p>}
    </div>
  );
}
