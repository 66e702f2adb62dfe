import { z } from "zod";
import type { ActorRef } from "#domain/actor";
import { fail, type Failure } from "#domain/failure";
import { isId, newId, type SuggestionId, type UserId, type WebsiteId } from "#domain/ids";
import { isPlainObject, type JsonObject } from "#domain/json";
import { SUGGESTION_STATUSES, type Suggestion } from "#domain/suggestion";
import { isTimestamp, millis, type Timestamp } from "#domain/time";
import type { ContentStore } from "#ports/content-store";
import type { ListPage } from "#ports/list-page";
import type { RecordBeside, RecordsBesideQuery } from "#ports/records-beside";
import type { InWebsite } from "./operation.ts";
import { pages } from "./pages.ts";

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

/** Suggestions that are read at once: each may hold two texts of a megabyte. */
export const READ_AT_ONCE = 5;

/** More open suggestions to one thing than there are tools that anybody connects. */
const MOST_OPEN = 100;

/** Those to a thing that wait, newest first. */
export const openSuggestions = ({ content, website }: InWebsite, targetId: string): AsyncGenerator<Suggestion> =>
  pages((after) => listSuggestions(content, website.id, { targetId, open: true, after, limit: READ_AT_ONCE }), MOST_OPEN / READ_AT_ONCE);

/** The open suggestion of the connection that asks, if there is one. A tool has at most one for each thing: it changes that one. */
export async function findOwnSuggestion(context: InWebsite, targetId: string): Promise<Suggestion | null> {
  const { actor } = context;
  if (actor.type !== "tool") return null;
  for await (const suggestion of openSuggestions(context, targetId)) if (suggestion.by.id === actor.grant.id) return suggestion;
  return null;
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
  if (result === "stale") throw ownChangedMeanwhile(next.targetId);
  return next;
}

/** Of the tool whose it is: another call of it was faster, or a person decided. */
export const ownChangedMeanwhile = (targetId: string): Failure =>
  fail(
    "VERSION_CONFLICT",
    `Your suggestion for ${targetId} was changed by another call, or decided, since you read it. Nothing was overwritten: read it again, then decide what to keep.`,
    { currentVersion: null },
  );

/** For a person: the app, or somebody else, was faster. */
export const changedMeanwhile = (currentVersion: number | null): Failure =>
  fail("VERSION_CONFLICT", "This suggestion was just changed or decided. View it again, then decide.", { currentVersion });

/** Closes it, or opens it again. */
export async function decideSuggestion(
  { content, by, now }: InWebsite,
  suggestion: Suggestion,
  status: Suggestion["status"],
): Promise<Suggestion> {
  const decided = status === "open" ? null : { by, at: now };
  const next: Suggestion = { ...suggestion, version: suggestion.version + 1, status, decided };
  if ((await content.beside.save(recordOf(next))) === "stale") throw changedMeanwhile(null);
  return next;
}
