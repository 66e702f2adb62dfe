import { isId, type MediaId, type TermId } from "#domain/ids";
import type { JsonObject } from "#domain/json";
import type { Post } from "#domain/post";
import { mergeFields, type MergedFields, type Suggestion } from "#domain/suggestion";
import type { InWebsite } from "../../kernel/operation.ts";
import { mediaThing } from "../../media/helpers/save-media.ts";
import { termThing } from "../../terms/helpers/save-term.ts";

/** The target of a suggestion as it is now. */
export interface CurrentTarget {
  readonly version: number;
  readonly fields: JsonObject;
  /** Only for posts. */
  readonly post: Post | null;
}

/** Null: it is gone. */
export async function findTarget({ content, website }: InWebsite, { targetId }: Suggestion): Promise<CurrentTarget | null> {
  if (isId("post", targetId)) {
    const post = await content.posts.get(website.id, targetId);
    return post && { version: post.version, fields: post.working as unknown as JsonObject, post };
  }
  const found = isId("media", targetId)
    ? await content.media.get(website.id, targetId as MediaId).then((media) => media && !media.deletedAt && mediaThing(media))
    : await content.terms.get(website.id, targetId as TermId).then((term) => term && termThing(term));
  return found ? { version: found.version, fields: found.fields as JsonObject, post: null } : null;
}

/** What the target becomes. Fields that both changed become as suggested if `takes` says so, else they stay. */
export function mergedWith(suggestion: Suggestion, current: CurrentTarget, takes: "suggested" | "current"): MergedFields {
  const { merged, conflicts } = mergeFields(suggestion, current.fields);
  if (takes === "current" || !suggestion.proposed) return { merged, conflicts };
  // A conflict inside an object is settled for the whole of it: half of each would be nobody's wish.
  const names = conflicts.map((path) => path.split(".", 1)[0]!);
  const taken = names.flatMap((name) => (suggestion.proposed![name] === undefined ? [] : [[name, suggestion.proposed![name]] as const]));
  return { merged: { ...merged, ...Object.fromEntries(taken) }, conflicts };
}
