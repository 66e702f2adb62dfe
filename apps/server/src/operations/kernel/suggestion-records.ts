import { z } from "zod";
import type { ActorRef } from "#domain/actor";
import { isId, newId, type SuggestionId, type UserId, type WebsiteId } from "#domain/ids";
import { isPlainObject, type JsonObject } from "#domain/json";
import { SUGGESTION_STATUSES, type Suggestion } from "#domain/suggestion";
import { isTimestamp, millis, type Timestamp } from "#domain/time";
import type { ContentStore, ListPage } from "#ports/content-store";
import type { RecordBeside, RecordsBesideQuery } from "#ports/records-beside";
import type { InWebsite } from "./operation.ts";
import { versionConflict } from "./version-conflict.ts";

const time = z.custom<Timestamp>((value) => typeof value === "string" && isTimestamp(value));
const fields = z.custom<JsonObject>(isPlainObject);
const actor: z.ZodType<ActorRef> = z.object({
  type: z.enum(["user", "tool", "system"]),
  id: z.string(),
  userId: z.custom<UserId>((value) => typeof value === "string").nullable(),
});

/** The store may be a customer's: what does not parse is not there. */
const stored = z.object({
  label: z.string().max(500),
  status: z.enum(SUGGESTION_STATUSES),
  by: actor,
  changedAt: time,
  baseVersion: z.int(),
  base: fields,
  proposed: fields.nullable(),
  action: z
    .union([z.object({ type: z.enum(["publish", "unpublish", "delete", "restore"]) }), z.object({ type: z.literal("schedule"), at: time })])
    .nullable(),
  decided: z.object({ by: actor, at: time }).nullable(),
});

function suggestionOf({ websiteId, id, targetId, version, at, data }: RecordBeside): Suggestion | null {
  const parsed = stored.safeParse(data);
  return parsed.success && isId("suggestion", id) ? { id, websiteId, targetId, version, at, ...parsed.data } : null;
}

function recordOf({ id, websiteId, targetId, version, at, ...data }: Suggestion): RecordBeside {
  const json = JSON.parse(JSON.stringify(data)) as JsonObject;
  return { id, websiteId, targetId, version, at, kind: "suggestion", open: data.status === "open", data: json };
}

export async function findSuggestion({ beside }: ContentStore, websiteId: WebsiteId, id: SuggestionId): Promise<Suggestion | null> {
  const record = await beside.get(websiteId, id);
  return record?.kind === "suggestion" ? suggestionOf(record) : null;
}

export async function listSuggestions(
  { beside }: ContentStore,
  websiteId: WebsiteId,
  query: Omit<RecordsBesideQuery, "kind">,
): Promise<ListPage<Suggestion>> {
  const page = await beside.list(websiteId, { ...query, kind: "suggestion" });
  return { rows: page.rows.flatMap((record) => suggestionOf(record) ?? []), next: page.next };
}

/** More open suggestions to one thing than there are tools that anybody connects. */
const MOST_OPEN = 100;

/** The open suggestion of the connection that asks, if there is one. A tool has at most one for each thing: it changes that one. */
export async function findOwnSuggestion({ content, website, actor }: InWebsite, targetId: string): Promise<Suggestion | null> {
  if (actor.type !== "tool") return null;
  const { rows } = await listSuggestions(content, website.id, { targetId, open: true, after: null, limit: MOST_OPEN });
  return rows.find(({ by }) => by.id === actor.grant.id) ?? null;
}

type Suggested = Pick<Suggestion, "targetId" | "label" | "baseVersion" | "base" | "proposed" | "action">;

/** Makes the suggestion, or changes the one that the tool has open. */
export async function keepSuggestion(context: InWebsite, earlier: Suggestion | null, suggested: Suggested): Promise<Suggestion> {
  const { content, website, by, now } = context;
  const isEmpty = suggested.proposed === null && suggested.action === null;
  const next: Suggestion = {
    ...suggested,
    id: earlier?.id ?? newId("suggestion", millis(now)),
    websiteId: website.id,
    version: (earlier?.version ?? 0) + 1,
    status: isEmpty ? "withdrawn" : "open",
    by,
    at: earlier?.at ?? now,
    changedAt: now,
    decided: null,
  };
  if (!earlier && isEmpty) return next;
  const result = await (earlier ? content.beside.save(recordOf(next)) : content.beside.insert(recordOf(next)));
  if (result === "stale") throw versionConflict("suggestion", null);
  return next;
}

/** Closes it, or opens it again. */
export async function decideSuggestion(
  { content, by, now }: InWebsite,
  suggestion: Suggestion,
  status: Suggestion["status"],
): Promise<Suggestion> {
  const decided = status === "open" ? null : { by, at: now };
  const next: Suggestion = { ...suggestion, version: suggestion.version + 1, status, decided };
  if ((await content.beside.save(recordOf(next))) === "stale") throw versionConflict("suggestion", null);
  return next;
}
