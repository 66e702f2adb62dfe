import { SECOND } from "./time.ts";

/** A node whose clock is further off than this says so, in milliseconds. */
const TOLD_BEYOND = 2 * SECOND;
/** A node whose clock is further off than this runs no jobs, in milliseconds. */
const NO_JOBS_BEYOND = 30 * SECOND;

/** How a machine's clock compares to the install's time, which is the database's. */
export type ClockState = "right" | "off" | "far off";

/** The offset is how far the machine's clock is ahead of the database's, in milliseconds; behind is negative. */
export function clockState(offsetMillis: number): ClockState {
  const off = Math.abs(offsetMillis);
  return off > NO_JOBS_BEYOND ? "far off" : off > TOLD_BEYOND ? "off" : "right";
}

/** Jobs compare moments with many others; what else runs on a machine that is far off is not to be trusted with that. */
export const mayRunJobs = (offsetMillis: number): boolean => clockState(offsetMillis) !== "far off";

/** Says what is wrong, why, and what to do next, for the operator of the machine. */
export function describeClock(offsetMillis: number): string {
  const state = clockState(offsetMillis);
  const seconds = Math.abs(Math.round(offsetMillis / 100) / 10);
  if (state === "right") return `The clock of this machine agrees with the database's within ${TOLD_BEYOND / SECOND} s.`;
  const off = `The clock of this machine is ${seconds} s ${offsetMillis > 0 ? "ahead of" : "behind"} the database's`;
  const what = state === "off" ? "due times follow the database's" : "due times follow the database's, and this node runs no jobs";
  return `${off}: ${what}. Set the clock, for example with an NTP service.`;
}
