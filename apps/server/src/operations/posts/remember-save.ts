import type { GrantId } from "#domain/ids";
import type { Post } from "#domain/post";
import { stateOf } from "#domain/tool-save";
import type { SaveResult } from "#ports/content-store";
import type { InWebsite } from "../kernel/operation.ts";

/**
 * A save of a connected tool, with what the post was before it written down first: undo must know of every one, also of one
 * whose node died a moment later. `undoes` is the connection whose changes a person sets back with this save.
 */
export async function rememberSave(
  { actor, by, now, services }: InWebsite,
  before: Post | null,
  next: Post,
  save: () => Promise<SaveResult | "settled">,
  undoes?: GrantId,
): Promise<SaveResult | "settled"> {
  const connectionId = actor.type === "tool" ? actor.grant.id : undoes;
  if (!connectionId) return save();
  const { saves } = services.connections;
  const key = { websiteId: next.websiteId, postId: next.id, connectionId, version: before?.version ?? 0 };
  await saves.begin({ ...key, actorId: by.id, at: now, saved: false, state: before && stateOf(before) });
  const result = await save();
  // Not known to have been made, it is judged by its revision: nothing is lost when this fails.
  if (result !== "stale") await saves.confirm(key).catch((error) => services.onTrouble("A tool's save could not be confirmed", error));
  return result;
}
