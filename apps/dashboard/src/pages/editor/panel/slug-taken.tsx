import { Link } from "@tanstack/react-router";
import { useOp } from "../../../api/hooks.ts";
import { mayOnPost } from "../../../shell/may-on-post.ts";
import { Button } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { useEditorPage } from "../editor-context.tsx";

/** Whose address it is, and whether one may have it: an old address that only redirects can be taken over. */
export function SlugTaken({ slug, ownerId, busy, onTakeOver }: { slug: string; ownerId: string; busy: boolean; onTakeOver: () => void }) {
  const { at, context } = useEditorPage();
  const owner = useOp("get_post", { websiteId: at.websiteId, postId: ownerId });
  const other = owner.data;
  const redirects = other && other.pastSlugs.includes(slug) && other.working.slug !== slug && other.live?.content.slug !== slug;
  const mayTake = redirects && mayOnPost(context, "post.write", other);
  return (
    <Notice
      tone="warn"
      title="This address is taken"
      action={
        mayTake && (
          <Button size="sm" busy={busy} onClick={onTakeOver}>
            Take over
          </Button>
        )
      }
    >
      {other ? (
        <p className="break-words">
          {redirects ? "It redirects to" : "It belongs to"}{" "}
          <Link
            to="/s/$websiteId/posts/$postId"
            params={{ websiteId: at.websiteId, postId: other.id }}
            target="_blank"
            className="font-medium underline"
          >
            {other.working.title || "Untitled"}
          </Link>
          . {mayTake ? "If you take it over, old links to it lead to this post instead." : "Choose another one."}
        </p>
      ) : (
        <p>{owner.isPending ? "Checking …" : "It belongs to a post you cannot see. Choose another one."}</p>
      )}
    </Notice>
  );
}
