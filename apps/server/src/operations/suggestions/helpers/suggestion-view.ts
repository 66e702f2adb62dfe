import { isWithinReach, reachOf } from "#domain/access";
import { fail, notFound } from "#domain/failure";
import { isId, type PostId, type SuggestionId } from "#domain/ids";
import { type Suggestion, suggestedFields } from "#domain/suggestion";
import { hasPermission } from "../../kernel/has-permission.ts";
import { type Activity, idOf, type InWebsite } from "../../kernel/operation.ts";
import { findSuggestion } from "../../kernel/suggestion-records.ts";

export const suggestionId = idOf<SuggestionId>("suggestion");

/** A suggestion as people see it in lists: without the words. */
export interface SuggestionView extends Omit<Suggestion, "websiteId" | "base" | "proposed"> {
  readonly target: "post" | "category" | "tag" | "author" | "image";
  /** Names of the fields that it changes. */
  readonly fields: readonly string[];
}

export function suggestionView(suggestion: Suggestion): SuggestionView {
  const { websiteId: _w, base: _b, proposed: _p, ...rest } = suggestion;
  return { ...rest, target: targetOf(suggestion), fields: suggestedFields(suggestion) };
}

function targetOf({ targetId }: Pick<Suggestion, "targetId">): SuggestionView["target"] {
  if (isId("post", targetId)) return "post";
  if (isId("media", targetId)) return "image";
  return (["category", "tag", "author"] as const).find((kind) => isId(kind, targetId)) ?? "tag";
}

/**
 * Whether the caller may read it: it holds words that are not public, so somebody who reads only their own posts and what is published reads those
 * to their own posts.
 */
export async function isVisibleTo(context: InWebsite, { targetId }: Pick<Suggestion, "targetId">): Promise<boolean> {
  if (!isId("post", targetId)) return hasPermission(context, isId("media", targetId) ? "media.manage" : "term.manage");
  if (hasPermission(context, "post.read")) return true;
  const post = await context.content.posts.get(context.website.id, targetId as PostId);
  return post !== null && context.actor.type !== "system" && post.ownerId === context.actor.userId;
}

export async function requireSuggestion(context: InWebsite, id: SuggestionId): Promise<Suggestion> {
  const suggestion = await findSuggestion(context.content, context.website.id, id);
  if (!suggestion || !(await isVisibleTo(context, suggestion))) throw notFound("suggestion");
  return suggestion;
}

export async function requireOpen(context: InWebsite, id: SuggestionId): Promise<Suggestion> {
  const suggestion = await requireSuggestion(context, id);
  if (suggestion.status === "open") return suggestion;
  throw fail("INVALID_TRANSITION", `This suggestion was ${suggestion.status} already.`, { status: suggestion.status });
}

/** A post's suggestion is decided by those who may edit the post; a term's or image's by those who manage them. */
export async function requireDecider(context: InWebsite, { targetId }: Suggestion): Promise<void> {
  const { actor, workspace, role, content, website } = context;
  const standing = { workspaceId: workspace.id, role };
  if (!isId("post", targetId)) {
    reachOf(actor, isId("media", targetId) ? "media.manage" : "term.manage", standing);
    return;
  }
  const post = await content.posts.get(website.id, targetId);
  const reach = reachOf(actor, "suggestion.decide", standing);
  if (!post || isWithinReach(reach, actor, { ownerId: post.ownerId, published: post.status === "published" })) return;
  throw fail("INSUFFICIENT_ROLE", `The role ${role} allows this only for your own posts. Ask an editor.`, { role });
}

export const aboutSuggestion = ({ id, targetId, label, by }: SuggestionView, details: Activity["details"] = {}): Activity => ({
  target: { id: targetId, label },
  details: { suggestion: id, connection: by.id, ...details },
});
