import { isWithinReach, type Permission, reachOf } from "#domain/access";
import { fail, invalid } from "#domain/failure";
import type { JsonObject } from "#domain/json";
import type { Post } from "#domain/post";
import type { SuggestedAction, Suggestion } from "#domain/suggestion";
import { execute } from "../../kernel/execute.ts";
import type { InWebsite } from "../../kernel/operation.ts";
import { deletePost } from "../../posts/delete-post.ts";
import { editPost } from "../../posts/edit-post.ts";
import { notReady } from "../../posts/helpers/require-ready.ts";
import { publishPost } from "../../posts/publish-post.ts";
import { restorePost } from "../../posts/restore-post.ts";
import { schedulePost } from "../../posts/schedule-post.ts";
import { unpublishPost } from "../../posts/unpublish-post.ts";
import { updateLivePost } from "../../posts/update-live-post.ts";

const NEEDED: Record<SuggestedAction["type"], Permission> = {
  publish: "post.publish",
  unpublish: "post.publish",
  schedule: "post.publish",
  delete: "post.delete",
  restore: "post.restore",
};

/** Before the first step: whether all of them can be taken, by this person and at this time. */
export function requireAllowed(context: InWebsite, { action }: Suggestion, post: Post, patch: JsonObject): void {
  const { actor, workspace, role, website, now } = context;
  const needed: Permission[] = [
    ...(Object.keys(patch).length > 0 ? (["post.write"] as const) : []),
    ...(action ? [NEEDED[action.type]] : []),
  ];
  for (const permission of needed) {
    const reach = reachOf(actor, permission, { workspaceId: workspace.id, role });
    if (isWithinReach(reach, actor, { ownerId: post.ownerId, published: post.status === "published" })) continue;
    throw fail("INSUFFICIENT_ROLE", `The role ${role} allows this only for your own posts. Ask an editor.`, { permission, role });
  }
  const bringsBackOrIsDone = action?.type === "restore" || (action?.type === "delete" && Object.keys(patch).length === 0);
  if (post.status === "deleted" && !bringsBackOrIsDone) {
    throw fail("INVALID_TRANSITION", "The post is in the trash. Restore it first, or reject the suggestion.", { status: post.status });
  }
  if (action?.type === "schedule" && action.at <= now) {
    throw fail("INVALID_TRANSITION", "The suggested time has passed. Accept only the text, or reject the suggestion.", { at: action.at });
  }
  if (action?.type !== "publish" && action?.type !== "schedule") return;
  const missing = notReady(website, { ...post, working: { ...post.working, ...patch } });
  if (missing.length > 0) throw invalid(missing);
}

/** One step after the other, each from the version that the one before it left. */
export async function acceptForPost({ services, actor }: InWebsite, { action }: Suggestion, post: Post, patch: JsonObject): Promise<void> {
  const { websiteId, id: postId } = post;
  let { version, status } = post;
  const target = () => ({ websiteId, postId, expectedVersion: version });
  if (action?.type === "restore" && status === "deleted") {
    ({ version, status } = await execute(services, restorePost, actor, target()));
  }
  if (Object.keys(patch).length > 0) ({ version, status } = await execute(services, editPost, actor, { ...target(), ...patch }));
  switch (action?.type) {
    case "publish":
      await execute(services, status === "published" ? updateLivePost : publishPost, actor, target());
      break;
    case "schedule":
      await execute(services, schedulePost, actor, { ...target(), at: action.at });
      break;
    case "unpublish":
      // Otherwise somebody did it meanwhile, or this very accept, which was cut off then.
      if (status === "published" || status === "scheduled") await execute(services, unpublishPost, actor, target());
      break;
    case "delete":
      if (status !== "deleted") await execute(services, deletePost, actor, target());
      break;
    default:
  }
}
