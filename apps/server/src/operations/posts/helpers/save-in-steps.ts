import type { WholeSave, WholeSaveResult } from "#ports/whole-save";
import type { InWebsite } from "../../kernel/operation.ts";
import { settlePost } from "./settle-post.ts";

/**
 * A save where content and platform lie in two databases: one write after the other, in an order in which a crash between two of them
 * loses nothing. The slug is claimed before, and one no longer needed is given up after: a claim too many is freed by the sweep. What
 * the post was before a tool saved it is written down before, so that undo knows of every save. Events and revision are saved inside
 * the post, and the sweep settles what was not settled here. The lines are left to the caller.
 */
export async function saveInSteps({ content, services }: InWebsite, save: WholeSave): Promise<WholeSaveResult> {
  const { post, before, visible, claim, release, now, toolSave } = save;
  const { websiteId, id } = post;
  if (claim && (await content.claims.claim(websiteId, "post", claim)).ownerId !== id) return "slug taken";
  const { saves } = services.connections;
  if (toolSave) await saves.begin({ ...toolSave, saved: false });
  // A slug claimed in vain stays with the post until the sweep: the save that won may have chosen the same one.
  if ((await content.posts[before ? "save" : "insert"](post, { visible })) === "stale") return "stale";
  // A tool's save that was begun and never confirmed is known by the post's revision when it is undone: nothing is lost when this fails.
  if (toolSave) await saves.confirm(toolSave).catch((error) => services.onTrouble("A tool's save could not be confirmed", error));
  try {
    for (const slug of release) await content.claims.release(websiteId, "post", slug, id, now);
    await settlePost(services, content, post);
  } catch (error) {
    // The change is saved, and what must follow it is saved inside it: the sweep finishes this.
    services.onTrouble("A saved post could not be settled right away", error);
  }
  return "saved";
}
