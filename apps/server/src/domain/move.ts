import type { WebsiteId } from "#domain/ids";
import type { JsonObject } from "#domain/json";
import type { Timestamp } from "#domain/time";

/** What is moved between the install and a store of the website's owner. "left content": what a database has that was left without copying back. */
export type MoveSubject = "images" | "content" | "left content";
/** "out": to the owner's store. "back": to the install. */
export type MoveDirection = "out" | "back";

/**
 * "running": a node is at it, or will be. "done": everything that can be moved was. "stopped": somebody stopped it, and it can go on. "failed":
 * it cannot go on by itself; its error says why.
 */
type MoveState = "running" | "done" | "stopped" | "failed";

export interface MoveProgress {
  readonly done: number;
  readonly total: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

export interface Move extends MoveProgress {
  readonly websiteId: WebsiteId;
  readonly subject: MoveSubject;
  readonly direction: MoveDirection;
  readonly state: MoveState;
  /** Where the mover goes on; empty at the beginning. Only the mover knows what is in it. */
  readonly position: JsonObject;
  /** Of late; null before anything was moved. */
  readonly bytesPerSecond: number | null;
  /** Attempts in a row that failed. */
  readonly failures: number;
  /** Why it rests or ended, in words. */
  readonly error: string | null;
  readonly startedAt: Timestamp;
  readonly changedAt: Timestamp;
}

/** How long it takes from here on, in seconds; null where nobody can tell. */
export function secondsLeft({ state, bytesDone, bytesTotal, bytesPerSecond }: Move): number | null {
  if (state !== "running" || bytesPerSecond === null || bytesPerSecond <= 0) return null;
  return Math.ceil(Math.max(0, bytesTotal - bytesDone) / bytesPerSecond);
}

/** How long it rests after so many failures in a row, in seconds: soon at first, and never longer than a person waits for a repair. */
export const restAfter = (failures: number): number => Math.min(2 ** Math.min(failures, 10), 120);
