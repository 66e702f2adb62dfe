import { isDeepStrictEqual } from "node:util";
import { mergeTexts } from "@stet/markdown";
import type { ActorRef } from "#domain/actor";
import type { SuggestionId, WebsiteId } from "#domain/ids";
import type { JsonObject, JsonValue } from "#domain/json";
import type { Post } from "#domain/post";
import type { Timestamp } from "#domain/time";

/** The step that a tool asks for beside, or instead of, other words. */
export type SuggestedAction =
  | { readonly type: "publish" | "unpublish" | "delete" | "restore" }
  | { readonly type: "schedule"; readonly at: Timestamp };

export const SUGGESTION_STATUSES = ["open", "accepted", "rejected", "withdrawn"] as const;
type SuggestionStatus = (typeof SUGGESTION_STATUSES)[number];

/**
 * What a connected tool would change of something that readers see, saw or are about to see, where the website holds such changes.
 * It stands beside the thing: nothing of it is in the text until a person accepts it.
 */
export interface Suggestion {
  readonly id: SuggestionId;
  readonly websiteId: WebsiteId;
  /** A post, a term or an image. */
  readonly targetId: string;
  /** The name of the target when it was made. */
  readonly label: string;
  readonly version: number;
  readonly status: SuggestionStatus;
  readonly by: ActorRef;
  readonly at: Timestamp;
  readonly changedAt: Timestamp;
  /** The version of the target that it was written on, and the fields as they were then. */
  readonly baseVersion: number;
  readonly base: JsonObject;
  /** The fields as the tool wants them; null: only the action. */
  readonly proposed: JsonObject | null;
  readonly action: SuggestedAction | null;
  readonly decided: { readonly by: ActorRef; readonly at: Timestamp } | null;
}

export interface MergedFields {
  readonly merged: JsonObject;
  /** Fields that both changed in different ways; `merged` has the target's own there. */
  readonly conflicts: readonly string[];
}

/** The target's fields with the suggested changes in them. */
export function mergeFields({ base, proposed }: Pick<Suggestion, "base" | "proposed">, current: JsonObject): MergedFields {
  if (!proposed) return { merged: current, conflicts: [] };
  const conflicts: string[] = [];
  const merged = mergeObjects(base, proposed, current, "", conflicts);
  return { merged, conflicts };
}

function mergeObjects(base: JsonObject, proposed: JsonObject, current: JsonObject, path: string, conflicts: string[]): JsonObject {
  const names = [...new Set([...Object.keys(current), ...Object.keys(proposed)])];
  const fields = names.map((name) => [name, merge(base[name], proposed[name], current[name], `${path}${name}`, conflicts)] as const);
  // A field that one side removed and the other left alone is gone.
  return Object.fromEntries(fields.filter((field): field is [string, JsonValue] => field[1] !== undefined));
}

type Value = JsonValue | undefined;

/** Parts of an image: half of one rectangle and half of another would be nobody's wish. */
const WHOLE: ReadonlySet<string> = new Set(["crop", "focalPoint"]);

function merge(base: Value, proposed: Value, current: Value, path: string, conflicts: string[]): Value {
  if (isDeepStrictEqual(proposed, base) || isDeepStrictEqual(proposed, current)) return current;
  if (isDeepStrictEqual(current, base)) return proposed;
  if (isObject(proposed) && isObject(current) && !WHOLE.has(path))
    return mergeObjects(isObject(base) ? base : {}, proposed, current, `${path}.`, conflicts);
  if (path === "body" && typeof base === "string" && typeof proposed === "string" && typeof current === "string") {
    const text = mergeTexts(base, proposed, current);
    if (text !== null) return text;
  }
  conflicts.push(path);
  return current;
}

const isObject = (value: Value): value is JsonObject => typeof value === "object" && value !== null && !Array.isArray(value);

/** The names of the fields that a suggestion changes. */
export const suggestedFields = ({ base, proposed }: Pick<Suggestion, "base" | "proposed">): readonly string[] =>
  proposed ? Object.keys({ ...base, ...proposed }).filter((name) => !isDeepStrictEqual(base[name], proposed[name])) : [];

/** The step between two states of a post; null: only its words differ, or nothing. */
export function actionBetween(before: Post, after: Post): SuggestedAction | null {
  if (after.status === "published") return before.status === "published" && before.live === after.live ? null : { type: "publish" };
  if (after.status === "scheduled") {
    return before.scheduledAt === after.scheduledAt ? null : { type: "schedule", at: after.scheduledAt! };
  }
  if (after.status === before.status) return null;
  if (after.status === "deleted") return { type: "delete" };
  return { type: before.status === "deleted" ? "restore" : "unpublish" };
}

/** Whether readers see the post, saw it, are about to, or somebody took it away: a draft that was never live is none of this. */
export const concernsReaders = ({ status, live }: Pick<Post, "status" | "live">): boolean => status !== "draft" || live !== null;
