import { isContentMoved } from "#domain/content-home";
import { judgeMarker, wasLeftInUse } from "#domain/content-marker";
import { timestamp } from "#domain/time";
import type { Website } from "#domain/website";
import { eachOf } from "#operations/kernel/each-of";
import type { Services } from "#operations/kernel/services";
import { connectionOf, markerOf } from "#operations/own-database/helpers/connection";
import { type ContentPosition, contentPosition, type ContentReport, copiedOf } from "#operations/own-database/helpers/position";
import { takeUpToDate } from "#operations/own-database/helpers/take-up-to-date";
import type { ContentStore } from "#ports/content-store";
import { aroundWrites } from "#ports/content-writes";
import type { HeldMove } from "#ports/moves";
import type { Cluster } from "#ports/own-databases";
import { settlePending } from "../sweeps.ts";
import { compareContent, type Difference } from "./compare-content.ts";
import { copyRecord } from "./copy-record.ts";
import { type Hold, type Mover, NotMine, type Stepped } from "./mover.ts";
import { ourSide } from "./our-side.ts";
import { inWords } from "./own-database-words.ts";
import { switchOver } from "./switch-over.ts";
import { unlikeOurs } from "./unlike-ours.ts";

const PAGE = 100;
const SIDE_BY_SIDE = 5;
const MOST_NAMED = 100;

/** What a step works with. */
export interface Moving {
  readonly services: Services;
  readonly move: HeldMove;
  readonly website: Website;
  readonly cluster: Cluster;
  readonly from: ContentStore;
  /** Refuses to be written to as soon as the move may be somebody else's, or was given up. */
  readonly to: ContentStore;
  readonly hold: Hold;
  /** Lets nothing more be written to `to`. */
  readonly giveUp: () => void;
}

/**
 * The content of a website between the install and its own database: copied by the feed while people write, compared record by record, and
 * switched in a pause of seconds. Until then it lies where it was, and stopping costs nothing.
 */
export const contentMover: Mover = {
  async step(services, move, hold) {
    const { websiteId } = move;
    const website = await services.platform.websites.get(websiteId);
    const database = await services.platform.ownDatabases.get(websiteId);
    const position = contentPosition(move.position);
    // Also where the node died that had just switched.
    if (website?.home.kind === (move.direction === "out" ? "own" : "managed")) return finish(services, move, website, position);
    const connection = database && connectionOf(services.seals, database);
    const { asMover, managed } = services.contents;
    if (!website || !connection || !asMover) return stopped(move, position, "The database has to be connected again. Enter its address.");
    try {
      return await services.ownDatabases.withCluster(websiteId, connection, async (cluster) => {
        const [from, target] =
          move.direction === "out" ? [ourSide(managed), cluster.content] : [cluster.content, ourSide(asMover(website))];
        const moving: Moving = { services, move, website, cluster, from, ...whileMine(target, hold), hold };
        const of = copiedOf(website, database);
        if (position.phase === "preparing" || position.of !== of) return prepare(moving, of);
        const fault = await markerFault(moving);
        if (fault !== null) return stopped(move, position, fault);
        if (position.phase === "copying") return copy(moving, position);
        return compare(moving, position, move.direction === "back" || database.switches);
      });
    } catch (error) {
      if (error instanceof NotMine) return { progress: move, position: move.position, next: "more" };
      throw inWords(services, move, error);
    }
  },
};

/**
 * A node that was suspended in a step and continues after another node has switched must not write its old records: that would undo newer
 * changes.
 */
function whileMine(target: ContentStore, { requireMine }: Hold): Pick<Moving, "to" | "giveUp"> {
  let isGivenUp = false;
  const to = aroundWrites(target, async (write) => {
    await requireMine();
    if (isGivenUp) throw new NotMine();
    return write().catch((error: unknown) => Promise.reject(isContentMoved(error) ? new NotMine() : error));
  });
  return { to, giveUp: () => void (isGivenUp = true) };
}

const stopped = (move: HeldMove, position: ContentPosition, reason: string): Stepped => ({
  progress: move,
  position,
  next: "failed",
  reason,
});

/**
 * Why nothing is copied there any more, in words. A server that was restored from a backup of the time between Migrate and Activate would go
 * on where that backup says, over what was written there since.
 */
async function markerFault({ services, move, website, cluster }: Moving): Promise<string | null> {
  if (move.direction === "back") return null;
  const judged = judgeMarker(await cluster.readMarker(), await markerOf(services, website), false);
  return judged.kind === "read only" ? judged.reason : null;
}

/** Whose the database is comes first: nothing is written to one that is somebody else's. */
async function prepare(moving: Moving, of: string): Promise<Stepped> {
  const { services, move, website, cluster, from } = moving;
  const position: ContentPosition = { ...contentPosition({}), phase: "copying", of };
  if (move.direction === "out") {
    const ours = await markerOf(services, website);
    const found = await cluster.readMarker();
    const judged = judgeMarker(found, ours, false);
    if (judged.kind === "read only") return stopped(move, contentPosition({}), judged.reason);
    const returned = await services.platform.homes.returnedEpoch(website.id);
    if (found !== null && found !== "unreadable" && wasLeftInUse(found, ours, returned)) {
      const differences = await unlikeOurs(moving);
      // The marker stays as it is, so that the next attempt looks again.
      if (differences.length > 0) return stopped(move, contentPosition({}), wordsForLeft(differences.length));
    }
    if (judged.kind === "older schema") await takeUpToDate(services, website, cluster);
    else {
      await cluster.writeMarker(ours);
      await cluster.bringUpToDate(null);
    }
  }
  return { progress: { ...NOTHING, total: await from.feed.count(website.id) }, position, next: "more" };
}

const wordsForLeft = (count: number): string =>
  `This website was disconnected while your database was away. ${records(count)} in it ${count === 1 ? "differs" : "differ"} from the content in Stet, so nothing was written to it. Fetch its content if you need it. Then use an empty database, or remove these records from it, and try again.`;

const NOTHING = { done: 0, total: 0, bytesDone: 0, bytesTotal: 0 };
const progressOf = (done: number, total: number) => ({ ...NOTHING, done: Math.min(done, total), total });

async function copy({ move, website, from, to }: Moving, position: ContentPosition): Promise<Stepped> {
  // Whoever writes faster than this copies is not followed for ever: everything is compared afterwards, and brought where it differs.
  const upTo = position.upTo ?? (await from.feed.newest(website.id));
  const read = await from.feed.read(website.id, position.cursor, PAGE, upTo);
  await eachOf(read.changes, SIDE_BY_SIDE, (change) => copyRecord(from, to, website.id, change));
  const copied = position.copied + read.changes.filter((change) => !change.removed).length;
  const total = read.atEnd ? await from.feed.count(website.id) : move.total;
  return {
    progress: progressOf(read.atEnd ? total : copied, total),
    position: { ...position, phase: read.atEnd ? "comparing" : "copying", cursor: read.cursor, upTo: read.atEnd ? null : upTo, copied },
    next: "more",
  };
}

/** Every record, and then the switch, on one node: what was compared is known there, and whoever goes on after it compares anew. */
async function compare(moving: Moving, position: ContentPosition, switches: boolean): Promise<Stepped> {
  const { services, move, website, from, to, hold } = moving;
  const comparison = compareContent({ from, to, websiteId: website.id, replaces: move.direction === "back" }, hold.isMine);
  await comparison.everything();
  const report = (): ContentReport => ({
    comparedAt: timestamp(services.clock()),
    sums: comparison.sums(),
    differences: comparison.differences().slice(0, MOST_NAMED),
    removed: comparison.removed().slice(0, MOST_NAMED),
    pausedMillis: null,
    switchedAt: null,
  });
  const here = (): ContentPosition => ({ ...position, phase: "copying", cursor: comparison.cursor(), report: report() });
  const total = countOf(report());
  const differences = comparison.differences();
  if (differences.length > 0)
    return { ...stopped(move, here(), wordsFor(differences)), progress: progressOf(total - differences.length, total) };
  if (!switches) return { progress: progressOf(total, total), position: here(), next: "done" };
  const outcome = await switchOver(moving, comparison);
  if (outcome.kind === "not now") return { progress: progressOf(total, total), position: here(), next: 2, reason: outcome.reason };
  const after = (await services.platform.websites.get(website.id)) ?? website;
  const done = { ...report(), pausedMillis: outcome.pausedMillis, switchedAt: timestamp(services.clock()) };
  return finish(services, move, after, { ...position, report: done });
}

const countOf = ({ sums }: ContentReport): number => Object.values(sums).reduce((all, { count }) => all + count, 0);

function wordsFor(differences: readonly Difference[]): string {
  const count = (why: Difference["why"]) => differences.filter((difference) => difference.why === why).length;
  const [newer, unknown, unequal] = [count("newer"), count("unknown"), count("unequal")];
  const parts = [
    newer > 0 && `${records(newer)} in your database ${newer === 1 ? "is" : "are"} newer than here.`,
    unknown > 0 && `${records(unknown)} in your database ${unknown === 1 ? "does" : "do"} not exist here.`,
    unequal > 0 && `Your database changed ${records(unequal)} after Stet wrote ${unequal === 1 ? "it" : "them"}.`,
  ].filter(Boolean);
  return `${parts.join(" ")} Nothing was overwritten, and your content stays with Stet. Use an empty database, or remove these records from it, and try again.`;
}

const records = (count: number): string => (count === 1 ? "1 record" : `${count} records`);

/** The content lies where it was to go. Each of these can be done twice. */
async function finish(services: Services, move: HeldMove, website: Website, position: ContentPosition): Promise<Stepped> {
  const { platform, signals } = services;
  for (const topic of ["access", "content"] as const) await signals.tellHere({ topic, id: website.id });
  const database = await platform.ownDatabases.get(website.id);
  const connection = database && connectionOf(services.seals, database);
  // There the first write looks after it where this fails. Back, it is on record that this was an orderly end.
  if (connection)
    await services.ownDatabases
      .withCluster(website.id, connection, async (cluster) => {
        const judged = judgeMarker(await cluster.readMarker(), await markerOf(services, website), false);
        // A copy of a server that leaves, such as one for trials, does not take the database from the server it was copied of.
        if (judged.kind !== "read only") await takeUpToDate(services, website, cluster);
      })
      .catch((error: unknown) => services.onTrouble(`The marker of ${website.id} could not be written`, error));
  if (move.direction === "out") await platform.ownDatabases.setSwitches(website.id, false);
  else {
    await platform.ownDatabases.remove(website.id);
    services.ownDatabases.forget(website.id);
  }
  // A save that met the pause between its steps is completed where it lies now.
  await services.contents
    .withContent(website, (content) => settlePending(services, content, website.id))
    .catch((error: unknown) => services.onTrouble(`What was pending in ${website.id} is settled later`, error));
  const total = position.report ? countOf(position.report) : move.total;
  return { progress: progressOf(total, total), position, next: "done" };
}
