import type { ContentHome } from "#domain/content-home";
import { type HealthBar, healthBars, healthKeptSince } from "#domain/database-health";
import type { WebsiteId } from "#domain/ids";
import type { Move } from "#domain/move";
import type { LeftDatabase, OwnDatabase } from "#domain/own-database";
import { millis, SECOND, type Timestamp } from "#domain/time";
import type { Website } from "#domain/website";
import type { ClusterHealth } from "#ports/own-databases";
import type { Services } from "../../kernel/services.ts";
import { connectionOf } from "./connection.ts";
import { type FetchPosition, fetchPosition } from "./fetch-position.ts";
import { contentPosition, copiedOf } from "./position.ts";
import { whyImpossible } from "./require.ts";

/** What is shown of the database: everything but its address. */
interface DatabaseFacts extends Pick<
  OwnDatabase,
  "shown" | "serverVersion" | "connectedAt" | "activatedAt" | "error" | "errorAt" | "isAway"
> {
  /** The server can no longer read the password: the address must be entered again. */
  readonly needsAddress: boolean;
  /** It is switched to as soon as everything was copied and compared. */
  readonly switches: boolean;
  /** What its owner runs there to create a user that can do just what is needed. */
  readonly leastPrivileges: string | null;
}

interface ContentMoveView extends Pick<Move, "direction" | "state" | "done" | "total" | "error" | "startedAt" | "changedAt"> {
  readonly phase: "preparing" | "copying" | "comparing";
  readonly perSecond: number | null;
  readonly secondsLeft: number | null;
  /** Everything was the same on both sides at this moment. */
  readonly comparedAt: string | null;
  /** It goes to the database that is connected now; the last one can have gone to another, or back from one. */
  readonly toThisDatabase: boolean;
}

/** Where the content of a website lies, and what is under way. */
export interface OwnDatabaseView {
  readonly home: ContentHome["kind"];
  /** Why no website of this install can have a database of its own, in words; null: they can. */
  readonly impossible: string | null;
  /** Null: none is connected. */
  readonly database: DatabaseFacts | null;
  /** As this node sees it. */
  readonly health: ClusterHealth;
  /** The last day of the connected database, as all nodes saw it, oldest first; empty where none is connected. */
  readonly history: readonly HealthBar[];
  /** Where the server's connections come from, for a database that accepts known addresses only; empty: its operator did not say. */
  readonly outgoingAddresses: readonly string[];
  /** The last one; null where there was none. */
  readonly move: ContentMoveView | null;
  /** The database that the website left without copying back; null: there is none, or the content lies in a database of its own again. */
  readonly left: (LeftDatabase & { readonly isConnected: boolean }) | null;
  /** Fetching what it has; null: nobody asked for it. */
  readonly fetching: (Pick<Move, "state" | "done" | "total" | "error"> & Pick<FetchPosition, "brought">) | null;
}

export async function viewDatabase(services: Services, websiteId: WebsiteId): Promise<OwnDatabaseView> {
  const { platform, ownDatabases, settings } = services;
  const now = services.clock();
  const [website, database, move, health, left, fetching] = await Promise.all([
    platform.websites.get(websiteId),
    platform.ownDatabases.get(websiteId),
    platform.moves.get(websiteId, "content"),
    platform.ownDatabases.health(websiteId, healthKeptSince(now)),
    platform.ownDatabases.getLeft(websiteId),
    platform.moves.get(websiteId, "left content"),
  ]);
  const home = website?.home.kind ?? "managed";
  return {
    home,
    impossible: whyImpossible(services),
    database: database && factsOf(services, { ...database, activatedAt: home === "own" ? database.activatedAt : null }),
    health: ownDatabases.health(websiteId),
    history: database ? healthBars(health, now) : [],
    outgoingAddresses: settings.outgoingAddresses,
    move: move && { ...moveView(move), toThisDatabase: isTo(move, website, database) },
    left: left && home === "managed" ? { ...left, isConnected: left.shown === database?.shown } : null,
    fetching: fetching && fetchingView(fetching),
  };
}

function factsOf({ seals, ownDatabases }: Services, database: OwnDatabase): DatabaseFacts {
  const { shown, serverVersion, connectedAt, activatedAt, switches, error, errorAt, isAway } = database;
  const connection = connectionOf(seals, database);
  const leastPrivileges = connection && ownDatabases.read(connection).leastPrivileges;
  const needsAddress = connection === null;
  return { shown, serverVersion, connectedAt, activatedAt, error, errorAt, isAway, switches, needsAddress, leastPrivileges };
}

function isTo(move: Move, website: Website | null, database: OwnDatabase | null): boolean {
  if (move.direction === "back" || !website || !database) return false;
  const { of } = contentPosition(move.position);
  // One that has not begun yet goes to whichever is connected.
  return of === "" || of === copiedOf(website, database);
}

function moveView(move: Move): Omit<ContentMoveView, "toThisDatabase"> {
  const { direction, state, done, total, error, startedAt, changedAt } = move;
  const { phase, report, copied, copiedBefore } = contentPosition(move.position);
  const perSecond = rateOf(copied - copiedBefore, startedAt, changedAt);
  const secondsLeft = state === "running" && perSecond !== null && perSecond > 0 ? Math.ceil((total - done) / perSecond) : null;
  const comparedAt = report !== null && report.differences.length === 0 ? report.comparedAt : null;
  return { direction, state, done, total, error, startedAt, changedAt, phase, perSecond, secondsLeft, comparedAt };
}

function fetchingView({ state, done, total, error, position }: Move): OwnDatabaseView["fetching"] {
  return { state, done, total, error, brought: fetchPosition(position).brought };
}

function rateOf(done: number, startedAt: Timestamp, changedAt: Timestamp): number | null {
  const seconds = (millis(changedAt) - millis(startedAt)) / SECOND;
  return done <= 0 || seconds <= 0 ? null : Math.round((done / seconds) * 10) / 10;
}
