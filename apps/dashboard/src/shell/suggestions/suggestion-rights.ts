import type { ListedPost, Suggestion } from "../../api/answers.ts";
import type { Permission } from "../../api/registry.ts";
import { mayOnPost } from "../may-on-post.ts";
import type { WebsiteContext } from "../website-context.ts";

export interface SuggestionRights {
  /** Reject it, and accept its changes of fields. */
  readonly decide: boolean;
  /** Take the step that it asks for, too. */
  readonly act: boolean;
}

const NEEDED: Record<NonNullable<Suggestion["action"]>["type"], Permission> = {
  publish: "post.publish",
  unpublish: "post.publish",
  schedule: "post.publish",
  delete: "post.delete",
  restore: "post.restore",
};

/**
 * What the signed-in person can do with a suggestion; the server decides again. Without `post`, only somebody who can edit every post decides:
 * others do so on the page of their post.
 */
export function suggestionRights(
  context: WebsiteContext,
  { target, action }: Suggestion,
  post?: Pick<ListedPost, "ownerId" | "status">,
): SuggestionRights {
  const all = post ?? { ownerId: null, status: "draft" as const };
  if (target === "post") {
    const decide = mayOnPost(context, "suggestion.decide", all);
    return { decide, act: decide && (action === null || mayOnPost(context, NEEDED[action.type], all)) };
  }
  const kind = target === "image" ? "media" : "term";
  const decide = context.may(`${kind}.manage`);
  return { decide, act: decide && (action === null || context.may(`${kind}.delete`)) };
}
