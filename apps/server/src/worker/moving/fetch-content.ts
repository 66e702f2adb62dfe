import { isConfirmable, judgeMarker } from "#domain/content-marker";
import { timestamp } from "#domain/time";
import type { Website } from "#domain/website";
import { eachOf } from "#operations/kernel/each-of";
import type { Services } from "#operations/kernel/services";
import { connectionOf, markerOf } from "#operations/own-database/helpers/connection";
import { type FetchPosition, fetchPosition } from "#operations/own-database/helpers/fetch-position";
import { copiedOf } from "#operations/own-database/helpers/position";
import type { HeldMove } from "#ports/moves";
import type { Cluster } from "#ports/own-databases";
import { fetchImage, fetchPost, fetchRevision, type Fetching, fetchTerm, fetchWorkingCopy } from "./fetch-record.ts";
import type { Mover, Stepped } from "./mover.ts";
import { ourSide } from "./our-side.ts";
import { inWords } from "./own-database-words.ts";

const PAGE = 100;
const SIDE_BY_SIDE = 5;

/** What each walk through everything brings: what others refer to comes before them. */
const WALKS = [
  { term: { fetch: fetchTerm, counts: "terms" }, media: { fetch: fetchImage, counts: "images" } },
  { post: { fetch: fetchPost, counts: "posts" } },
  { revision: { fetch: fetchRevision, counts: "versions" }, post: { fetch: fetchWorkingCopy, counts: "versions" } },
] as const;

type Step = { readonly fetch: typeof fetchTerm; readonly counts: keyof FetchPosition["brought"] };

/**
 * Brings what a database has that was left without copying back. The website goes on as it is: what it lacks comes, unpublished, and what was
 * written there to posts that are here becomes versions in their history. The database is only read.
 */
export const leftContentMover: Mover = {
  async step(services, move) {
    const { websiteId } = move;
    const website = await services.platform.websites.get(websiteId);
    const database = await services.platform.ownDatabases.get(websiteId);
    const connection = database && connectionOf(services.seals, database);
    const position = fetchPosition(move.position);
    if (!website || !connection || website.home.kind !== "managed")
      return failed(move, position, "The database has to be connected again. Enter its address.");
    try {
      const of = copiedOf(website, database);
      const isOther = position.of !== "" && position.of !== of;
      return await services.ownDatabases.withCluster(websiteId, connection, (cluster) =>
        position.walk === null || isOther
          ? prepare(services, move, website, cluster, of)
          : walk(services, move, website, cluster, { ...position, of }, database.shown),
      );
    } catch (error) {
      throw inWords(services, move, error);
    }
  },
};

const failed = (move: HeldMove, position: FetchPosition, reason: string): Stepped => ({ progress: move, position, next: "failed", reason });

async function prepare(services: Services, move: HeldMove, website: Website, cluster: Cluster, of: string): Promise<Stepped> {
  const judged = judgeMarker(await cluster.readMarker(), await markerOf(services, website), false);
  if (judged.kind === "none") return failed(move, fetchPosition({}), "No content of this website was found in the database.");
  // Whoever asks for what it has vouches for it, as nothing is written there.
  if (judged.kind === "read only" && !isConfirmable(judged, false)) return failed(move, fetchPosition({}), judged.reason);
  const total = WALKS.length * (await cluster.content.feed.count(website.id));
  return { progress: { ...move, done: 0, total }, position: { ...fetchPosition({}), walk: 0, of }, next: "more" };
}

async function walk(
  services: Services,
  move: HeldMove,
  website: Website,
  cluster: Cluster,
  { walk: nth, cursor, brought, ...position }: FetchPosition & { walk: number | null },
  shown: string,
): Promise<Stepped> {
  const steps: Partial<Record<string, Step>> = WALKS[nth ?? 0]!;
  const read = await cluster.content.feed.read(website.id, cursor, PAGE);
  const counted = { ...brought };
  await services.contents.withContent(website, async (content) => {
    const ours = ourSide(content);
    const fetching: Fetching = { services, websiteId: website.id, theirs: cluster.content, ours, now: timestamp(services.clock()) };
    const take = async (change: (typeof read.changes)[number]) => {
      const step = change.removed ? undefined : steps[change.kind];
      if (step && (await step.fetch(fetching, change))) counted[step.counts] += 1;
    };
    await eachOf(read.changes, SIDE_BY_SIDE, take);
  });
  await services.signals.tellHere({ topic: "content", id: website.id });
  const isOver = read.atEnd;
  const isLast = isOver && nth === WALKS.length - 1;
  const done = isLast ? move.total : Math.min(move.total, move.done + read.changes.length);
  if (isLast) await services.platform.ownDatabases.setFetched(website.id, shown, timestamp(services.clock()));
  return {
    progress: { ...move, done },
    position: { ...position, walk: isOver && !isLast ? (nth ?? 0) + 1 : nth, cursor: isOver ? null : read.cursor, brought: counted },
    next: isLast ? "done" : "more",
  };
}
