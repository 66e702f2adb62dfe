import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { PostId } from "#domain/ids";
import { mediaIdsOf } from "#domain/media-ids";
import type { PostContent } from "#domain/post";
import { edit, requireEditable } from "#domain/post-life";
import { MINUTE, millis } from "#domain/time";
import { expectedVersion } from "../kernel/inputs.ts";
import { idOf, type OnPost, postOperation } from "../kernel/operation.ts";
import { ownChangedMeanwhile } from "../kernel/suggestion-records.ts";
import { storeWithSlugFromTitle, takeSlugFrom } from "./helpers/choose-slug.ts";
import { applyPatch, type ContentPatch, contentShape } from "./helpers/content-input.ts";
import { requireVersion, storeIfSlugIsFree, storePost } from "./helpers/store-post.ts";
import { aboutPost, type PostView, viewOf } from "./helpers/post-view.ts";

/** Changes the working copy. Readers see nothing of it until Publish or Update. */
export const editPost = postOperation({
  name: "edit_post",
  summary: "Change the working copy of a post. The live version stays the same.",
  permission: "post.write",
  input: {
    ...contentShape,
    expectedVersion,
    /** An autosave folds into the last one of the same author within ten minutes. */
    autosave: z.boolean().default(false),
    /** For a tool: the version of its own suggestion that it read, 0 without one. The version of the post does not rise with a suggestion. */
    suggestionVersion: z.int().nonnegative().optional(),
    /** The post that the slug redirects to now: confirms that its readers shall see this one. */
    takeSlugFrom: idOf<PostId>("post").optional(),
  },
  folds: ({ autosave }) => autosave,
  async run(context, input): Promise<PostView> {
    const { post } = context;
    const { expectedVersion: expected, suggestionVersion, autosave, takeSlugFrom: otherId, websiteId: _w, postId: _p, ...patch } = input;
    requireVersion(post, expected);
    if (suggestionVersion !== undefined && suggestionVersion !== (context.suggestion?.version ?? 0)) throw ownChangedMeanwhile(post.id);
    requireEditable(post);
    const working = await applyPatch(context, post.working, patch);
    if (patch.slug !== undefined && otherId) await takeSlugFrom(context, patch.slug, otherId);
    const slugFollowsTitle = patch.slug === undefined && post.slugFollowsTitle;
    const unchanged = isDeepStrictEqual(working, post.working) && slugFollowsTitle === post.slugFollowsTitle;
    // An autosave without a change is no version: it would only make others' saves stale.
    if (unchanged && autosave) return viewOf(post);
    return viewOf(await storeEdit(context, working, slugFollowsTitle, autosave ? "autosave" : "save"));
  },
  // A redirect that is taken over leads its readers elsewhere; otherwise only the working copy changes.
  changes: ({ takeSlugFrom: otherId }) => (otherId ? "content" : "nothing"),
  activity: ({ by, now, post }, input, saved) => {
    if (saved.version === post.version && !saved.suggestion) return null;
    const about = aboutPost(saved, { changed: changedKeys(input) });
    const bucket = Math.floor(millis(now) / (10 * MINUTE));
    return input.autosave ? { ...about, foldKey: `edit_post:${saved.id}:${by.id}:${bucket}` } : about;
  },
});

export async function storeEdit(context: OnPost, working: PostContent, slugFollowsTitle: boolean, kind: "save" | "autosave" | "restore") {
  const { post, by, now, latestRevision: latest } = context;
  const { title } = working;
  const workingMediaIds = mediaIdsOf(working);
  const nextWith = (slug: string) =>
    edit(post, { working: { ...working, slug }, workingMediaIds, slugFollowsTitle, kind, latest }, { by, now });
  if (!slugFollowsTitle || title === post.working.title) return storePost(context, nextWith(working.slug));
  return storeWithSlugFromTitle(context, { id: post.id, title }, (slug) => storeIfSlugIsFree(context, nextWith(slug)));
}

const changedKeys = (patch: ContentPatch): string[] =>
  Object.entries(patch)
    .filter(([key, value]) => key in contentShape && value !== undefined)
    .map(([key]) => key);
