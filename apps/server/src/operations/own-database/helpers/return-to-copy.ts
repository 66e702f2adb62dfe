import { MOST_PAUSE_SECONDS } from "#domain/content-home";
import { fail } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import { millis, MINUTE, type Timestamp, timestamp } from "#domain/time";
import type { ContentStore } from "#ports/content-store";
import { eachOf } from "../../kernel/each-of.ts";
import type { InWebsite } from "../../kernel/operation.ts";
import { pages } from "../../kernel/pages.ts";
import { type MissingChange, missingSince } from "./missing.ts";
import { homeNow } from "./require.ts";

const PAGE = 100;

/** Records that are raised side by side. */
const SIDE_BY_SIDE = 5;
/** How long before it is written a line of the activity log can have begun, in milliseconds: it carries the moment of its call. */
const LATE_MILLIS = 10 * MINUTE;

/**
 * Nobody asks the database: it may be gone for good. What was on its way there is among what is missing. What is done before the pause can be
 * done again; what follows it is one transaction, so that a failure leaves the website and its schedules where they were.
 */
export async function returnToCopy(context: InWebsite): Promise<void> {
  const { services, workspace, now } = context;
  const { platform } = services;
  const website = await homeNow(platform, context);
  const database = await platform.ownDatabases.get(website.id);
  if (website.home.kind === "managed" || !database) return;
  const content = services.contents.asMover?.(website);
  if (!content) throw new Error("The install's own store cannot be moved to.");
  await keepTrash(content, website.id, now);
  const begun = { sequence: (await platform.events.last(website.id))?.sequence ?? 0, at: timestamp(millis(now) - LATE_MILLIS) };
  await raiseVersions(content, website.id, await missingSince(platform, website, database));
  await platform.homes.pause(website.id, MOST_PAUSE_SECONDS);
  await raiseVersions(content, website.id, await missingSince(platform, website, database, begun));
  await platform.locked(workspace.id, async ({ homes, schedules, ownDatabases }) => {
    if (!(await homes.move(website, "managed")))
      throw fail("UNAVAILABLE", "The content could not be switched right now. Try again in a moment.");
    // What was due meanwhile may have been published there, or be years late: a person decides.
    await schedules.holdBack(website.id, now);
    await ownDatabases.leave(website.id, now);
  });
}

/** Above the last version that anybody was told of: whoever still has that one open is told of a conflict instead of overwriting ours. */
const raiseVersions = (content: ContentStore, websiteId: WebsiteId, missing: readonly MissingChange[]): Promise<void> =>
  eachOf(missing, SIDE_BY_SIDE, async ({ kind, id, version }) => {
    const store = versionedIn(content, kind);
    const record = await store.get(websiteId, id);
    if (record && record.version <= version) await store.putIfNewer({ ...record, version: version + 1 });
  });

interface Versioned {
  get(websiteId: WebsiteId, id: string): Promise<{ readonly version: number } | null>;
  putIfNewer(record: { readonly version: number }): Promise<unknown>;
}

/** Records of each kind are read and put alike; their kind is known from their id. */
function versionedIn({ posts, terms, media }: ContentStore, kind: MissingChange["kind"]): Versioned {
  const store: unknown = kind === "post" ? posts : kind === "media" ? media : terms;
  return store as Versioned;
}

/**
 * The days of what is in the trash of the copy begin anew: it may have been restored in the database, and its days here may be over. A sweep
 * would remove it, and the file of an image with it, before anybody could look.
 */
async function keepTrash({ posts, media }: ContentStore, websiteId: WebsiteId, deletedAt: Timestamp): Promise<void> {
  const trashed = pages((after) => posts.listHeads(websiteId, { statuses: ["deleted"], sort: "createdAt", after, limit: PAGE }));
  for await (const { id } of trashed) {
    const post = await posts.get(websiteId, id);
    if (post) await posts.putIfNewer({ ...post, deletedAt });
  }
  for await (const image of pages((after) => media.list(websiteId, { trashed: true, after, limit: PAGE })))
    await media.putIfNewer({ ...image, deletedAt });
}
