import { fail } from "#domain/failure";
import type { Post } from "#domain/post";
import type { FacetFilter } from "#ports/content-store";
import type { InWebsite, OnPost } from "../../kernel/operation.ts";

/** Whether the website wants a person to look before a connected tool changes what readers see of this post. */
export const isHeld = ({ actor, website, post }: OnPost): boolean =>
  actor.type === "tool" && website.settings.holdToolChanges && post.status === "published";

/** The tool's changes stay in the working copy and wait, as a request for review that a person accepts or turns down. */
export const asSuggestion = ({ post, by, now }: OnPost): Post => ({
  ...post,
  version: post.version + 1,
  review: { requestedBy: by, requestedAt: now, note: "A connected app changed this published post and asks to publish the changes." },
});

/** A term or an image that published posts show is not taken from under them either. */
export async function refuseDeletingShown({ actor, website, content }: InWebsite, shown: FacetFilter[number]): Promise<void> {
  if (actor.type !== "tool" || !website.settings.holdToolChanges) return;
  const [posts = 0] = await content.posts.countLiveByFacet(website.id, [shown]);
  if (posts === 0) return;
  throw fail(
    "GRANT_FORBIDS",
    "Published posts use this, and this website holds app changes to published posts for review. A person can delete it in the dashboard.",
    { setting: "holdToolChanges" },
  );
}

/** Taking a post down, and putting it up again with other words, would be a way around the review. */
export function refuseUnpublishing(context: OnPost): void {
  if (!isHeld(context)) return;
  throw fail(
    "GRANT_FORBIDS",
    "This website holds app changes to published posts for review, so an app cannot take one down. A person can, in the dashboard.",
    { setting: "holdToolChanges" },
  );
}
