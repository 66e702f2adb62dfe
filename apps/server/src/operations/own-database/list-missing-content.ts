import type { PostId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import { websiteOperation } from "../kernel/operation.ts";
import { type MissingChange, missingSince } from "./helpers/missing.ts";
import { requireDatabase } from "./helpers/require.ts";

const MOST = 500;

export interface MissingContent {
  /** From when the copy is that would be returned to; null: the content does not lie in its own database. */
  readonly copyOf: Timestamp | null;
  readonly changes: readonly MissingChange[];
  /** How many there are in all. */
  readonly total: number;
  /** Posts that are scheduled in the copy for a moment that is over: they would not be published by themselves. */
  readonly heldBack: readonly { readonly postId: PostId; readonly title: string; readonly at: Timestamp }[];
}

/** What would be missing if the website returned to the copy without its database. It is not asked: it may be away. */
export const listMissingContent = websiteOperation({
  name: "list_missing_content",
  summary: "List what is known to have changed since the content of a website moved to its own database.",
  permission: "store.manage",
  input: {},
  async run(context): Promise<MissingContent> {
    const { services, website, now } = context;
    const database = await requireDatabase(services.platform, context);
    if (website.home.kind === "managed") return { copyOf: null, changes: [], total: 0, heldBack: [] };
    const changes = await missingSince(services.platform, website, database);
    const due = await services.contents.managed.posts.listDated(website.id, {
      statuses: ["scheduled"],
      from: "1970-01-01T00:00:00.000Z" as Timestamp,
      to: now,
      limit: MOST,
    });
    return {
      copyOf: database.activatedAt,
      changes: changes.toReversed().slice(0, MOST),
      total: changes.length,
      heldBack: due.map(({ id: postId, title, at }) => ({ postId, title, at })),
    };
  },
  activity: "none",
});
