import { fail } from "./failure.ts";

/** How many may work and how many may wait, of one name and in all. */
export interface LineRule {
  readonly atWork: number;
  readonly atWorkInAll: number;
  readonly waiting: number;
  readonly waitingInAll: number;
}

/** A place at work; called, it is given to the next one. */
export type Leave = () => void;

/** Waits for a place at work; refused at once when the line is full. `gone` leaves the line again. */
export type EnterLine = (name: string, gone?: AbortSignal) => Promise<Leave>;

export interface Line extends EnterLine {
  /** Refuses as the line would now, without taking a place. */
  requireRoom(name: string): void;
  /** A place for one who has waited elsewhere and is at work already, though there may be none. */
  join(name: string): Leave;
}

/** Those who are refused come again after this many seconds. */
const RETRY_SECONDS = 2;

/**
 * Lets a bounded number work and a bounded number wait for them, so that a flood costs neither memory nor anybody else's turn. It is
 * first come, first served, except that a name whose places are taken is passed by.
 */
export function createLine(rule: LineRule, what: string): Line {
  const working = new Map<string, number>();
  let workingInAll = 0;
  const waiting: { readonly name: string; admit(leave: Leave): void }[] = [];

  const hasPlace = (name: string): boolean => workingInAll < rule.atWorkInAll && (working.get(name) ?? 0) < rule.atWork;

  function begin(name: string): Leave {
    workingInAll += 1;
    working.set(name, (working.get(name) ?? 0) + 1);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      workingInAll -= 1;
      const left = working.get(name)! - 1;
      if (left === 0) working.delete(name);
      else working.set(name, left);
      const next = waiting.findIndex((each) => hasPlace(each.name));
      if (next === -1) return;
      const [admitted] = waiting.splice(next, 1);
      admitted!.admit(begin(admitted!.name));
    };
  }

  function requireRoom(name: string): void {
    if (hasPlace(name)) return;
    if (waiting.length >= rule.waitingInAll)
      throw fail("UNAVAILABLE", `The server is busy with ${what}. Nothing was changed; try again in a moment.`, {
        retryAfterSeconds: RETRY_SECONDS,
      });
    if (waiting.filter((each) => each.name === name).length >= rule.waiting)
      throw fail("RATE_LIMITED", `Too many ${what} at the same time. Nothing was changed; send fewer at once, or try again in a moment.`, {
        retryAfterSeconds: RETRY_SECONDS,
      });
  }

  async function enter(name: string, gone?: AbortSignal): Promise<Leave> {
    gone?.throwIfAborted();
    requireRoom(name);
    if (hasPlace(name)) return begin(name);
    return new Promise<Leave>((resolve, reject) => {
      const mine = { name, admit: resolve };
      waiting.push(mine);
      gone?.addEventListener(
        "abort",
        () => {
          const place = waiting.indexOf(mine);
          if (place === -1) return;
          waiting.splice(place, 1);
          reject(gone.reason);
        },
        { once: true },
      );
    });
  }

  return Object.assign(enter, { requireRoom, join: begin });
}
