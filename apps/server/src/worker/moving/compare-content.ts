import { type Checksum, hashOf } from "#domain/content-checksum";
import type { PostId, WebsiteId } from "#domain/ids";
import type { Post, RevisionHead } from "#domain/post";
import { slugsOf } from "#domain/post-life";
import type { Term } from "#domain/term";
import { eachOf } from "#operations/kernel/each-of";
import { slugsOfTerm } from "#operations/terms/helpers/term-view";
import type { Change, FeedPage, RecordKind } from "#ports/change-feed";
import type { ContentStore } from "#ports/content-store";
import type { After, ListPage } from "#ports/list-page";
import { copyRecord, removeRecord } from "./copy-record.ts";
import { NotMine } from "./mover.ts";
import { createRecordHashes } from "./record-hashes.ts";
import { readRecord } from "./sum-up.ts";

const PAGE = 50;
/** Records that are compared side by side; each is in memory twice for a moment. */
const SIDE_BY_SIDE = 5;
/** How often a record is copied again that somebody changes meanwhile. */
const ATTEMPTS = 4;
/** How often it follows what others wrote meanwhile; each time there is less, unless they write faster than it follows. */
const ROUNDS = 5;
/** A store with more than these is not worth a longer look: a person has to see to it. */
const MOST_DIFFERENCES = 10_000;
/** Passes after which stores that still differ are left to a person. */
const PASSES = 3;

/** What keeps two stores from being the same, by the name of a record. */
export interface Difference {
  readonly kind: RecordKind;
  readonly id: string;
  /** "newer": the store that is copied to has a newer one. "unknown": it has one that the other never had. "unequal": it does not keep what is written. */
  readonly why: "newer" | "unknown" | "unequal";
}

interface Stores {
  readonly from: ContentStore;
  readonly to: ContentStore;
  readonly websiteId: WebsiteId;
  /** What is newer or unknown in `to` is an old copy that goes; otherwise it is somebody's work, and stays. */
  readonly replaces: boolean;
}

/**
 * Compares every record of a website in two stores, brings what differs, reads it back and compares again. What it has seen it keeps as
 * hashes, so that afterwards only what changed since has to be looked at. Slug claims are made to be the same as well.
 */
export function compareContent({ from, to, websiteId, replaces }: Stores, isMine: () => Promise<boolean>) {
  const same = createRecordHashes();
  const differences = new Map<string, Difference>();
  const removed: Difference[] = [];
  let cursor: string | null = null;
  /** Something was replaced, and what depends on it must be looked at again. */
  let isAgain = false;

  async function compare(change: Change): Promise<void> {
    const name = nameOf(change);
    let before: string | null = null;
    for (let attempt = 1; ; attempt++) {
      const [source, copy] = await Promise.all([readRecord(from, websiteId, change), readRecord(to, websiteId, change)]);
      const [wanted, found] = [source && hashOf(change.kind, source), copy && hashOf(change.kind, copy)];
      if (wanted === found) {
        differences.delete(name);
        if (wanted === null) {
          same.delete(name);
          if (change.kind === "post") await removeLeftRevisions(change.id as PostId);
        } else same.set(name, change.kind, wanted);
        if (source) await sameClaims(change.kind, source);
        return;
      }
      const isNewer = source !== null && copy !== null && versionOf(copy) > versionOf(source);
      if (isNewer && !replaces) return void differences.set(name, { kind: change.kind, id: change.id, why: "newer" });
      // Somebody is writing it right now: the feed names it once more, in the pause at the latest.
      if (attempt > ATTEMPTS && wanted !== before) return;
      before = wanted;
      if (attempt > ATTEMPTS) return void differences.set(name, { kind: change.kind, id: change.id, why: "unequal" });
      if (isNewer) {
        await removeRecord(to, websiteId, change);
        isAgain = true;
      }
      await copyRecord(from, to, websiteId, change);
    }
  }

  /** A purge in steps may have been cut off after the post: its revisions would be nobody's, and strange to the owner of the database. */
  async function removeLeftRevisions(postId: PostId): Promise<void> {
    for (let after: After | null = null; ;) {
      const page: ListPage<RevisionHead> = await to.revisions.list(websiteId, postId, { after, limit: PAGE });
      for (const { id } of page.rows) {
        if (!(await from.revisions.get(websiteId, postId, id))) await to.revisions.delete(websiteId, postId, [id]);
      }
      after = page.next;
      if (!after) return;
    }
  }

  async function sameClaims(kind: RecordKind, record: object): Promise<void> {
    if (kind !== "post" && kind !== "term") return;
    const space = kind === "post" ? "post" : (record as Term).kind;
    const slugs = kind === "post" ? [...slugsOf(record as Post)] : [...slugsOfTerm(record as Term)];
    const claimedAt = kind === "post" ? (record as Post).editedAt : (record as Term).updatedAt;
    const [ours, theirs] = await Promise.all([from.claims.owners(websiteId, space, slugs), to.claims.owners(websiteId, space, slugs)]);
    for (const [slug, ownerId] of ours) {
      const holder = theirs.get(slug);
      if (holder === undefined) await to.claims.claim(websiteId, space, { slug, ownerId, claimedAt });
      else if (holder !== ownerId) await to.claims.move(websiteId, space, slug, holder, ownerId);
    }
  }

  /** From where it was on, up to a number of the feed or to its end. Answers how many changes that were. */
  async function follow(upTo?: number): Promise<number> {
    for (let count = 0; ;) {
      const read: FeedPage = await from.feed.read(websiteId, cursor, PAGE, upTo);
      await eachOf(read.changes, SIDE_BY_SIDE, compare);
      cursor = read.cursor;
      count += read.changes.length;
      if (read.atEnd || differences.size > MOST_DIFFERENCES) return count;
      if (!(await isMine())) throw new NotMine();
    }
  }

  /**
   * About everything, while others go on writing: up to the newest change, then what came meanwhile. Whoever writes faster than this follows is
   * not followed for ever; what is left then is left to the pause, in which nobody writes.
   */
  async function catchUp(): Promise<void> {
    for (let round = 1; round <= ROUNDS; round++) {
      if ((await follow(await from.feed.newest(websiteId))) < PAGE) return;
    }
  }

  /** Records of `to` that `from` does not have. What is written there meanwhile is a copy made here. */
  async function findUnknown(): Promise<void> {
    const newest = await to.feed.newest(websiteId);
    for (let after: string | null = null; ;) {
      const read: FeedPage = await to.feed.read(websiteId, after, PAGE, newest);
      const strange = read.changes.filter((change) => !change.removed && !same.has(nameOf(change)) && !differences.has(nameOf(change)));
      await eachOf(strange, SIDE_BY_SIDE, async (change) => {
        if (await readRecord(from, websiteId, change)) return compare(change);
        if (!(await readRecord(to, websiteId, change))) return;
        const unknown: Difference = { kind: change.kind, id: change.id, why: "unknown" };
        if (!replaces) return void differences.set(nameOf(change), unknown);
        if (removed.length < MOST_DIFFERENCES) removed.push(unknown);
        await removeRecord(to, websiteId, change);
      });
      after = read.cursor;
      if (read.atEnd || differences.size > MOST_DIFFERENCES) return;
      if (!(await isMine())) throw new NotMine();
    }
  }

  return {
    /** Everything, from the beginning. */
    async everything(): Promise<void> {
      for (let pass = 1; pass <= PASSES; pass++) {
        cursor = null;
        isAgain = false;
        await catchUp();
        await findUnknown();
        if (!isAgain) return;
      }
    },
    /** Nearly all that changed since, while others go on writing. */
    mostOfTheRest: catchUp,
    /** All that changed since. It ends where nobody writes any more. */
    async theRest(): Promise<void> {
      await follow();
    },
    differences: (): readonly Difference[] => [...differences.values()],
    /** What was only in the old copy. */
    removed: (): readonly Difference[] => removed,
    cursor: () => cursor,
    sums: (): Readonly<Record<RecordKind, Checksum>> => same.sums(),
  };
}

const nameOf = ({ kind, postId, id }: Change): string => `${kind} ${postId ?? ""} ${id}`;
const versionOf = (record: object): number => (record as { version?: number }).version ?? 0;
