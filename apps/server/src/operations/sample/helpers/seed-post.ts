import type { TermId } from "#domain/ids";
import { toLocal } from "#domain/media-address";
import { mediaIdsOf } from "#domain/media-ids";
import type { Post, PostContent, Rendering, Revision } from "#domain/post";
import { createDraft, goLive } from "#domain/post-life";
import type { Timestamp } from "#domain/time";
import type { InWebsite } from "../../kernel/operation.ts";
import { sampleId } from "./sample-ids.ts";
import type { SamplePost } from "./sample-post.ts";

/** Writes one sample post into the website; false when it is there already. */
export function postSeeder(context: InWebsite, instead: ReadonlyMap<TermId, TermId>) {
  const { content, website, now } = context;
  const prepare = preparer(context, instead);
  return async (sample: SamplePost, isClaimed: boolean): Promise<boolean> => {
    // A claim may be all that an interrupted run left behind.
    if (isClaimed && (await content.posts.get(website.id, sample.id))) return false;
    const { post, revision } = await prepare(sample);
    const claim = await content.claims.claim(website.id, "post", { slug: post.working.slug, ownerId: post.id, claimedAt: now });
    if (claim.ownerId !== post.id) return false;
    // Before the post, so that nothing is left pending: a revision without a post is put again by the next run.
    await content.revisions.put(revision);
    return (await content.posts.insert(post, { visible: true })) === "saved";
  };
}

function preparer({ actor, by, services, website }: InWebsite, instead: ReadonlyMap<TermId, TermId>) {
  // Thousands of posts share a few hundred bodies: each is rendered once.
  const renderings = new Map<string, Promise<Rendering>>();
  const render = (body: string) => {
    const rendering = renderings.get(body) ?? services.render(body);
    renderings.set(body, rendering);
    return rendering;
  };
  const resolved = (ids: readonly TermId[]) => ids.map((id) => instead.get(id) ?? id);

  return async (sample: SamplePost): Promise<{ post: Post; revision: Revision }> => {
    const working: PostContent = {
      ...sample.content,
      body: toLocal(sample.content.body, website.id),
      categoryIds: resolved(sample.content.categoryIds),
      tagIds: resolved(sample.content.tagIds),
      authorIds: resolved(sample.content.authorIds),
    };
    const draft = {
      id: sample.id,
      websiteId: website.id,
      ownerId: actor.type === "system" ? null : actor.userId,
      working,
      workingMediaIds: mediaIdsOf(working),
      slugFollowsTitle: false,
    };
    const deed = (moment: Timestamp) => ({ by, now: moment });
    const rendering = await render(working.body);
    const published = goLive(createDraft(draft, deed(sample.createdAt)), "publish", rendering, deed(sample.publishedAt));
    const post = sample.updatedAt === null ? published : goLive(published, "update", rendering, deed(sample.updatedAt));
    return {
      post: { ...post, editedAt: sample.updatedAt ?? sample.publishedAt, pendingEvents: [], pendingRevision: null },
      revision: { ...post.pendingRevision!, id: sampleId("revision", sample.id), websiteId: website.id, postId: post.id, content: working },
    };
  };
}
