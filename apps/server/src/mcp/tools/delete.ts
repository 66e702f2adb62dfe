import { z } from "zod";
import { deleteMedia as deleteMediaOperation } from "#operations/media/delete-media";
import { deletePost as deletePostOperation } from "#operations/posts/delete-post";
import { restorePost as restorePostOperation } from "#operations/posts/restore-post";
import { deleteTerm as deleteTermOperation } from "#operations/terms/delete-term";
import { quoted } from "../content.ts";
import { heldWords } from "../held.ts";
import { postStep } from "../post-step.ts";
import { expectedVersion, website } from "../shapes.ts";
import { tool } from "../tool.ts";

const gone = { id: z.string(), label: z.string() };

export const deletePost = postStep({
  name: "delete_post",
  title: "Move a post to the trash",
  description:
    "Moves a post to the trash; readers no longer see it. restore_post restores it within 30 days. Only when the person asked for exactly this post.",
  kind: "delete",
  operation: deletePostOperation,
  said: "Moved to trash, can be restored for 30 days:",
});

export const restorePost = postStep({
  name: "restore_post",
  title: "Restore a post",
  description: 'Restores a post from the trash as a draft. List them with list_posts and statuses ["deleted"].',
  kind: "write",
  operation: restorePostOperation,
  said: "Restored as draft:",
});

export const deleteMedia = tool({
  name: "delete_media",
  title: "Move an image to the trash",
  description: "Moves an image to the trash; a person can restore it for 30 days. An image in use is refused unless `evenIfUsed`.",
  kind: "delete",
  input: { website, id: z.string(), expectedVersion, evenIfUsed: z.boolean().optional() },
  output: gone,
  async run(call, { website: given, id: mediaId, expectedVersion: before, ...rest }) {
    const websiteId = await call.website(given);
    call.target = { id: mediaId, label: "" };
    const done = await call.run(deleteMediaOperation, { websiteId, mediaId, expectedVersion: before, ...rest });
    call.changed({ id: done.id, label: done.filename }, before, done.version);
    return {
      data: { id: done.id, label: done.filename },
      text: `${heldWords(done) ?? "Moved to trash:"} ${done.id} ${quoted(done.filename)}`,
    };
  },
});

export const deleteTerm = tool({
  name: "delete_term",
  title: "Delete a category, tag or author",
  description:
    "Permanently deletes a category, tag or author. This cannot be undone, so only when the person asked for exactly this one. One in use is refused unless `evenIfUsed`.",
  kind: "delete",
  input: { website, id: z.string(), expectedVersion, evenIfUsed: z.boolean().optional() },
  output: gone,
  async run(call, { website: given, id: termId, expectedVersion: before, evenIfUsed = false }) {
    const websiteId = await call.website(given);
    call.target = { id: termId, label: "" };
    const done = await call.run(deleteTermOperation, { websiteId, termId, expectedVersion: before, evenIfUsed });
    call.changed({ id: done.id, label: done.name }, before, done.suggestion ? before : before + 1);
    return {
      data: { id: done.id, label: done.name },
      text: `${heldWords(done) ?? "Deleted:"} ${done.kind} ${done.id} ${quoted(done.name)}`,
    };
  },
});
