/** An entry of a map that drops what was not asked for the longest. */
export interface Movable {
  /** When it was last moved to the front, in milliseconds. */
  movedAt: number;
}

const EVERY_MILLIS = 1_000;

/** Whether to move it now that it is asked for: once a second, because moving costs a reader's request more than finding. */
export function movesUp(entry: Movable, now: number): boolean {
  // A clock that was ahead for a while must not keep it from moving.
  if (Math.abs(now - entry.movedAt) < EVERY_MILLIS) return false;
  entry.movedAt = now;
  return true;
}
