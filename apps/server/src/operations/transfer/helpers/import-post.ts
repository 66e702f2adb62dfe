import { isDeepStrictEqual } from "node:util";
import { isVisibleChange, slugsOf } from "#domain/post-life";
import type { PostId } from "#domain/ids";
import type { InWebsite } from "../../kernel/operation.ts";
import { claimAll, releaseAll } from "./claim-slugs.ts";
import { type PostRecord, postOf, postRecord, type RevisionRecord, revisionRecord } from "./records.ts";
import { OTHER_CONTENT, type Outcome } from "./report.ts";

/** Sends no events: what was published was published elsewhere, earlier. Readers of this website see it at once. */
export async function importPost(context: InWebsite, record: PostRecord): Promise<Outcome> {
  const { content, services, website } = context;
  const compared = async (): Promise<Outcome | null> => {
    const there = await content.posts.get(website.id, record.id);
    if (!there) return null;
    return isDeepStrictEqual(postRecord(there), record) ? "skipped" : { conflict: OTHER_CONTENT };
  };
  const before = await compared();
  if (before) return before;
  const post = postOf(record, website.id, record.live && (await services.render(record.live.content.body)));
  const claims = await claimAll(context, "post", slugsOf(post), post.id);
  if (claims.taken) {
    const owner = await content.posts.get(website.id, claims.taken.ownerId as PostId);
    const name = owner?.working.title ? `"${owner.working.title}" (${claims.taken.ownerId})` : claims.taken.ownerId;
    return { conflict: `Its slug "${claims.taken.slug}" belongs to the post ${name} here. It was skipped, with its history.` };
  }
  // A reminder too many does nothing, one too few would never publish.
  if (post.scheduledAt) await services.platform.schedules.add(website.id, post.id, post.scheduledAt);
  // What tools did to a post of this id that was purged is none of this one's history: versions begin again where the file has them.
  await services.connections.saves.forget(website.id, post.id);
  if ((await content.posts.insert(post, { visible: isVisibleChange(null, post) })) === "saved") return "imported";
  const meanwhile = await compared();
  if (!meanwhile) await releaseAll(context, "post", claims.fresh, post.id);
  return meanwhile ?? { conflict: "Someone else just changed it. Import the file again." };
}

/** `post` is what became of the post before it. */
export async function importRevision(context: InWebsite, record: RevisionRecord, post: Outcome): Promise<Outcome> {
  if (typeof post === "object") return "with its post";
  const { content, website } = context;
  const there = await content.revisions.get(website.id, record.postId as PostId, record.id);
  if (there) return isDeepStrictEqual(revisionRecord(there), record) ? "skipped" : { conflict: OTHER_CONTENT };
  const { type: _, ...revision } = record;
  await content.revisions.put({ ...revision, websiteId: website.id });
  return "imported";
}
