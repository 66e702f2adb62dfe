import { isId } from "#domain/ids";
import type { OwnDatabase } from "#domain/own-database";
import { millis, type Timestamp } from "#domain/time";
import type { Website } from "#domain/website";
import type { Platform } from "#ports/platform";

const PAGE = 500;

const KINDS = ["post", "category", "tag", "author", "media"] as const;

/** A post, term or image of which our old copy lacks something. */
export interface MissingChange {
  readonly kind: (typeof KINDS)[number];
  readonly id: string;
  /** Its title or name, as it was last known. */
  readonly title: string | null;
  /** When it was last changed. */
  readonly at: Timestamp;
  /** The highest version that anybody was told of. */
  readonly version: number;
  /** Readers or receivers saw something of it. */
  readonly visible: boolean;
}

/**
 * What was changed since the content moved away, as far as PostgreSQL knows, oldest first. Events tell what readers saw; the activity log
 * tells of drafts, terms and images too, with the version after each change. What an import brought has one line for all of it.
 * `begun`: only what was logged since, by the number of the last event and by the time of lines.
 */
export async function missingSince(
  platform: Platform,
  website: Website,
  database: OwnDatabase,
  begun?: { readonly sequence: number; readonly at: Timestamp },
): Promise<readonly MissingChange[]> {
  const { activatedAt } = database;
  if (website.home.kind !== "own" || activatedAt === null) return [];
  const missing = new Map<string, MissingChange>();
  const add = (change: MissingChange) => {
    const before = missing.get(change.id);
    const [earlier, later] = before && before.at > change.at ? [change, before] : [before, change];
    missing.set(change.id, {
      ...later,
      title: later.title ?? earlier?.title ?? null,
      version: Math.max(later.version, earlier?.version ?? 0),
      visible: later.visible || (earlier?.visible ?? false),
    });
  };
  for (let after = begun?.sequence ?? 0, isMore = true; isMore;) {
    const logged = await platform.events.list(website.id, after, PAGE);
    for (const { sequence, event } of logged) {
      after = sequence;
      if (event.at < activatedAt) continue;
      const title = event.post?.content.title ?? null;
      add({ kind: "post", id: event.postId, title, at: event.at, version: event.version, visible: true });
    }
    isMore = logged.length === PAGE;
  }
  const from = begun && begun.at > activatedAt ? begun.at : activatedAt;
  for (let query = { websiteId: website.id, from, after: null as LineCursor, limit: PAGE }; ;) {
    const { rows, next } = await platform.activity.list(website.workspaceId, query);
    for (const { target, at, details } of rows) {
      const kind = KINDS.find((each) => target !== null && isId(each, target.id));
      if (!kind) continue;
      const version = typeof details.version === "number" ? details.version : 0;
      add({ kind, id: target!.id, title: target!.label || null, at, version, visible: false });
    }
    if (!next) break;
    query = { ...query, after: next };
  }
  return [...missing.values()].toSorted((left, right) => millis(left.at) - millis(right.at));
}

type LineCursor = Awaited<ReturnType<Platform["activity"]["list"]>>["next"];
