import { z } from "zod";
import type { ActorRef } from "#domain/actor";
import { type GrantId, newId, type PostId, type UserId } from "#domain/ids";
import { isPlainObject, type JsonObject } from "#domain/json";
import { millis, type Timestamp } from "#domain/time";
import type { After } from "#ports/list-page";
import type { InWebsite } from "./operation.ts";

/** One change of a term or an image: what it was before and after, and who made it. People's changes are kept as well as tools'. */
export interface ThingChange {
  readonly id: string;
  readonly at: Timestamp;
  readonly by: ActorRef;
  /** The version before; 0: the change made it. */
  readonly version: number;
  /** Null: it was not there before, or is not there afterwards. */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  /** Terms that were only names for it and went with it. */
  readonly aliases: readonly JsonObject[];
  /** Of an undo: the connection whose changes it set back. */
  readonly undoes: GrantId | null;
}

const fields = z.custom<JsonObject>(isPlainObject);
const stored = z.object({
  by: z.object({
    type: z.enum(["user", "tool", "system"]),
    id: z.string(),
    userId: z.custom<UserId>((value) => typeof value === "string").nullable(),
  }),
  version: z.int(),
  before: fields.nullable(),
  after: fields.nullable(),
  aliases: z.array(fields),
  undoes: z.custom<GrantId>((value) => typeof value === "string").nullable(),
});

export interface Remembered {
  readonly targetId: string;
  readonly version: number;
  readonly before: object | null;
  readonly after: object | null;
  readonly aliases?: readonly object[];
  readonly undoes?: ThingChange["undoes"];
}

/**
 * Written before the change is made, so that none is missing. One that then was not made is told by its `after`: nothing ever was like that
 * at that version.
 */
export async function rememberChange(context: InWebsite, change: Remembered): Promise<void> {
  const { content, website, services, actor, by, now } = context;
  const { targetId, aliases = [], undoes = null, ...rest } = change;
  const data = JSON.parse(JSON.stringify({ ...rest, aliases, undoes, by })) as JsonObject;
  const id = newId("change", millis(now));
  await content.beside.insert({ websiteId: website.id, id, kind: "change", targetId, version: 1, open: false, at: now, data });
  if (actor.type !== "tool") return;
  const key = { websiteId: website.id, postId: targetId as PostId, connectionId: actor.grant.id, version: change.version };
  await services.connections.saves.begin({ ...key, actorId: by.id, at: now, saved: false, state: null });
}

const PAGE = 100;
const MOST_PAGES = 10;

/** The changes of a thing, the first version first. */
export async function listThingChanges({ content, website }: InWebsite, targetId: string): Promise<readonly ThingChange[]> {
  const changes: ThingChange[] = [];
  let after: After | null = null;
  for (let page = 0; page < MOST_PAGES; page++) {
    const { rows, next }: Awaited<ReturnType<typeof content.beside.list>> = await content.beside.list(website.id, {
      kind: "change",
      targetId,
      after,
      limit: PAGE,
    });
    for (const { id, at, data } of rows) {
      const parsed = stored.safeParse(data);
      if (parsed.success) changes.push({ id, at, ...parsed.data });
    }
    if (!next) break;
    after = next;
  }
  // Newest first as listed: of two of one version the later one comes last.
  return changes.toReversed().toSorted((a, b) => a.version - b.version);
}
