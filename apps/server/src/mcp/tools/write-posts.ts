import { z } from "zod";
import { createPost as createPostOperation } from "#operations/posts/create-post";
import { editPost as editPostOperation } from "#operations/posts/edit-post";
import { getPost as getPostOperation } from "#operations/posts/get-post";
import type { PostView } from "#operations/posts/helpers/post-view";
import { editText } from "../edit-text.ts";
import { heldWords } from "../held.ts";
import { contentOf, postShape } from "../post-input.ts";
import { changedPost, expectedVersion, headOf, lineOf, post, requireChange, website } from "../shapes.ts";
import { tool, type ToolAnswer } from "../tool.ts";

const body = z
  .string()
  .describe(
    'Markdown: CommonMark, GFM, footnotes; no H1, the title is the H1. Image with a caption, alone in its paragraph: ![alt](path "Caption"); {.wide} or {.full} right after it widens it',
  );
const MOST_EDITS = 50;

export const createPost = tool({
  name: "create_post",
  title: "Draft a post",
  description:
    "Creates a post, always as a draft: readers see it only after publish_post. Read the style guide first (get_context). Send an `idempotencyKey` (any unique text): if you repeat the call because the answer was lost, you get the same post instead of a second one.",
  kind: "write",
  idempotent: false,
  input: {
    website,
    ...postShape,
    title: z.string().min(1).max(300),
    body: body.optional(),
    idempotencyKey: z.string().min(1).max(200).optional(),
  },
  output: changedPost,
  async run(call, { website: given, idempotencyKey, ...content }) {
    const websiteId = await call.website(given);
    const patch = await contentOf(call, websiteId, content);
    const made = await call.run(createPostOperation, { websiteId, ...patch, ...(idempotencyKey && { idempotencyKey }) });
    call.changed({ id: made.id, label: made.working.title }, null, made.version);
    const { version, working } = made;
    const isAsSent = version === 1 && working.title === content.title.trim();
    return changed(made, isAsSent ? "Draft" : "A post with this idempotencyKey already exists, so no new one was created");
  },
});

export const updatePost = tool({
  name: "update_post",
  title: "Change a post",
  description:
    "Changes fields of a post's working copy; fields you leave out stay. `body` replaces the whole text: for changes inside it use edit_post_body. Readers see nothing until publish_post.",
  kind: "write",
  input: { website, post, expectedVersion, ...postShape, body: body.optional() },
  output: changedPost,
  async run(call, { website: given, post: named, expectedVersion: before, ...content }) {
    const websiteId = await call.website(given);
    const postId = await call.post(websiteId, named);
    const patch = await contentOf(call, websiteId, content);
    requireChange(patch);
    const saved = await call.run(editPostOperation, { websiteId, postId, expectedVersion: before, ...patch });
    call.changed({ id: saved.id, label: saved.working.title }, before, saved.version);
    return changed(saved, "Saved");
  },
});

export const editPostBody = tool({
  name: "edit_post_body",
  title: "Edit the text of a post",
  description:
    "Changes passages of a post's text without sending all of it. Each `find` must occur exactly once, copied exactly from get_post with line breaks; if it occurs twice, include more of the text around it, or set `all` to replace every one. Edits apply in order, all or none. An empty `replace` removes the passage.",
  kind: "write",
  input: {
    website,
    post,
    expectedVersion,
    edits: z
      .array(z.strictObject({ find: z.string().min(1), replace: z.string(), all: z.boolean().optional() }))
      .min(1)
      .max(MOST_EDITS),
  },
  output: changedPost,
  async run(call, input) {
    const websiteId = await call.website(input.website);
    const ids = { websiteId, postId: await call.post(websiteId, input.post) };
    const before = await call.run(getPostOperation, ids);
    call.target = { id: before.id, label: before.working.title };
    // A passage found in another version than the caller read would be changed unseen; the operation refuses that.
    const text = before.version === input.expectedVersion ? editText(before.working.body, input.edits) : before.working.body;
    // Where the website holds changes, another call may have changed the suggestion that the passages were found in.
    const suggestionVersion = before.suggestion?.version ?? 0;
    const saved = await call.run(editPostOperation, { ...ids, expectedVersion: input.expectedVersion, suggestionVersion, body: text });
    call.changed({ id: saved.id, label: saved.working.title }, input.expectedVersion, saved.version);
    return changed(saved, "Saved");
  },
});

function changed(view: PostView, word: string): ToolAnswer {
  const head = headOf(view);
  const held = heldWords(view);
  return { data: { post: head }, text: held ? `${held} ${lineOf(head)}` : `${word}: ${lineOf(head)}. ${whenSeen(head)}` };
}

function whenSeen({ status, scheduledAt, waitsForReview }: ReturnType<typeof headOf>): string {
  if (status === "scheduled") return `Readers see it as it is now at ${scheduledAt}; this counted as a publication.`;
  if (waitsForReview) return "A review is requested; readers see it once the post is published.";
  return `Readers see ${status === "published" ? "the change" : "it"} after publish_post.`;
}
