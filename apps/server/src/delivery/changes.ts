import { createHash } from "node:crypto";
import type { ChangeJson, ChangesJson } from "@stet/contract";
import { decodeCursor, encodeCursor } from "#domain/cursor";
import { fail } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import type { PostEvent } from "#domain/post";
import { DAY, millis } from "#domain/time";
import type { Website } from "#domain/website";
import type { EventLog, LoggedEvent, Websites } from "#ports/platform";
import { readRoute } from "./read-route.ts";
import { pageSize } from "./paging.ts";
import { cursor, limit } from "./parameters.ts";

const TOMBSTONE_MILLIS = 90 * DAY;
const SORT = "changes";
const TYPES = {
  "post.published": "published",
  "post.updated": "updated",
  "post.unpublished": "removed",
  "post.deleted": "removed",
} as const satisfies Record<PostEvent["type"], ChangeJson["type"]>;

/**
 * How far a reader has come: the last event seen, by its place and its id; 0 and the website's id before the first. The id
 * tells whether it is still the same log: after a restored backup, or in another install, the place alone would lie. The
 * history tells whether content came or went without events since, as an import does.
 */
interface Position {
  readonly history: number;
  readonly sequence: number;
  readonly id: string;
}

export const listChanges = readRoute({
  path: "/blog/changes",
  query: { since: cursor, limit },
  // An event is written a moment after its change raised the content version: an answer kept by that version could miss it.
  cached: false,
  async run({ services, website, now }, _params, query) {
    const { events } = services.platform;
    const size = pageSize(query.limit);
    const since = query.since === undefined ? null : positionOf(query.since);
    const fingerprint = await fingerprintOf(services.platform.websites, website);
    // Read first: a history that begins while the events are read is noticed with the next request.
    const history = await events.history(website.id);
    const found = since?.history === history ? await readSince(events, website.id, since, size + 1) : null;
    const [next] = found ?? [];
    const tooOld = next !== undefined && now.getTime() - millis(next.event.at) > TOMBSTONE_MILLIS;
    if (!since || !found || tooOld) {
      // Taken before the reader reads all posts, so whatever happens meanwhile comes with the next request.
      const last = await events.last(website.id);
      return {
        kind: "json",
        value: answer([], last ? seen(history, last) : { history, sequence: 0, id: website.id }, {
          reset: true,
          hasNext: false,
          size,
          fingerprint,
        }),
      };
    }
    const shown = found.slice(0, size);
    const last = shown.at(-1);
    return {
      kind: "json",
      value: answer(shown, last ? seen(history, last) : since, { reset: false, hasNext: found.length > size, size, fingerprint }),
    };
  },
});

/**
 * Terms, images and settings have no events. Their changes raise the content version or the version of the website, and so do those of posts.
 * Hashed: how often something was saved is nobody's business.
 */
async function fingerprintOf(websites: Websites, { id, version }: Website): Promise<string> {
  const { contentVersion, storeEpoch } = await websites.contentState(id);
  return createHash("sha256")
    .update(JSON.stringify([id, version, contentVersion, storeEpoch]))
    .digest("hex")
    .slice(0, 16);
}

/** Events after a position; null when the position is not part of this history (any more). */
async function readSince(
  events: EventLog,
  websiteId: WebsiteId,
  { sequence, id }: Position,
  count: number,
): Promise<readonly LoggedEvent[] | null> {
  if (sequence === 0) {
    const found = await events.list(websiteId, 0, count);
    return id === websiteId && (found[0]?.sequence ?? 1) === 1 ? found : null;
  }
  const [anchor, ...found] = await events.list(websiteId, sequence - 1, count + 1);
  return anchor?.sequence === sequence && anchor.event.id === id ? found : null;
}

function answer(
  events: readonly LoggedEvent[],
  position: Position,
  facts: { reset: boolean; hasNext: boolean; size: number; fingerprint: string },
): ChangesJson {
  const next = encodeCursor(SORT, { key: `${position.history}.${position.sequence}`, id: position.id });
  return {
    data: events.flatMap(({ event }) => changeOf(event)),
    cursor: next,
    reset: facts.reset,
    fingerprint: facts.fingerprint,
    pagination: { hasNext: facts.hasNext, nextCursor: facts.hasNext ? next : null, limit: facts.size },
  };
}

/** Nothing about a post that was never live: a key must not even learn that there was a draft. */
function changeOf({ type, postId, post, previousSlug, at }: PostEvent): ChangeJson[] {
  return post ? [{ type: TYPES[type], postId, slug: post.content.slug, previousSlug, at }] : [];
}

const seen = (history: number, { sequence, event }: LoggedEvent): Position => ({ history, sequence, id: event.id });

function positionOf(since: string): Position {
  const { key, id } = decodeCursor(since, SORT);
  const [history, sequence] = /^(\d{1,9})\.(\d{1,15})$/.exec(key)?.slice(1).map(Number) ?? [];
  if (history !== undefined && sequence !== undefined) return { history, sequence, id };
  throw fail("INVALID_CURSOR", "This cursor was altered. Pass it back exactly as received, or leave `since` out to start again.");
}
