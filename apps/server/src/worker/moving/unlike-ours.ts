import { hashOf } from "#domain/content-checksum";
import { eachOf } from "#operations/kernel/each-of";
import type { Change, FeedPage } from "#ports/change-feed";
import type { Moving } from "./move-content.ts";
import { NotMine } from "./mover.ts";
import { readRecord } from "./sum-up.ts";

const PAGE = 100;
const SIDE_BY_SIDE = 5;

/**
 * Records of a database that was left without copying back which are not exactly the same here. Both sides may have been written to since,
 * so versions say nothing about which of the two is newer: people decide. Nothing is written.
 */
export async function unlikeOurs({
  from,
  to,
  website,
  hold,
}: Pick<Moving, "from" | "to" | "website" | "hold">): Promise<readonly Change[]> {
  const unlike: Change[] = [];
  for (let cursor: string | null = null; ;) {
    const read: FeedPage = await to.feed.read(website.id, cursor, PAGE);
    const present = read.changes.filter((change) => !change.removed);
    await eachOf(present, SIDE_BY_SIDE, async (change) => {
      const [ours, theirs] = await Promise.all([readRecord(from, website.id, change), readRecord(to, website.id, change)]);
      if (theirs && (!ours || hashOf(change.kind, ours) !== hashOf(change.kind, theirs))) unlike.push(change);
    });
    if (read.atEnd) return unlike;
    if (!(await hold.isMine())) throw new NotMine();
    cursor = read.cursor;
  }
}
