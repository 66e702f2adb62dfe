import { setTimeout as delay } from "node:timers/promises";
import { MOST_PAUSE_SECONDS } from "#domain/content-home";
import { fail } from "#domain/failure";
import { timestamp } from "#domain/time";
import type { compareContent } from "./compare-content.ts";
import type { Moving } from "./move-content.ts";

/** What is not over by then is given up before the pause ends by itself, in milliseconds. */
const ENOUGH_MILLIS = MOST_PAUSE_SECONDS * 1_000 - 1_500;
/** How long writes under way are waited for. */
const DRAIN_MILLIS = 4_000;
const ASK_MILLIS = 25;

type Outcome = { readonly kind: "switched"; readonly pausedMillis: number } | { readonly kind: "not now"; readonly reason: string };

/**
 * Holds writers back, waits for what is under way, brings the rest, compares it, and switches in one transaction, which asks once more
 * whether the pause and the move are still ours. Whatever goes wrong before leaves the website where it was.
 */
export async function switchOver(moving: Moving, comparison: ReturnType<typeof compareContent>): Promise<Outcome> {
  const { services, move, website, hold, giveUp } = moving;
  const { homes } = services.platform;
  // Everything took its time: what was written meanwhile comes first, so that little is left for the pause.
  await comparison.mostOfTheRest();
  if (!(await hold.isMine())) return { kind: "not now", reason: "The migration continues." };
  // Before and not after: what happens from here on may be missing from the copy that stays.
  if (move.direction === "out") await services.platform.ownDatabases.setActivated(website.id, timestamp(services.clock()));
  const began = performance.now();
  await homes.pause(website.id, MOST_PAUSE_SECONDS);
  let isSwitched = false;
  let rest: Promise<void> | undefined;
  try {
    while ((await homes.countTickets(website.id)) > 0) {
      if (performance.now() - began > DRAIN_MILLIS)
        return { kind: "not now", reason: "Somebody is saving right now. It is tried again in a moment." };
      await delay(ASK_MILLIS);
    }
    rest = comparison.theRest();
    await withinMillis(ENOUGH_MILLIS - (performance.now() - began), rest);
    if (comparison.differences().length > 0) return { kind: "not now", reason: "A record changed in both places. It is compared again." };
    isSwitched = await homes.move(website, move.direction === "out" ? "own" : "managed", move);
    return isSwitched
      ? { kind: "switched", pausedMillis: Math.round(performance.now() - began) }
      : { kind: "not now", reason: "Comparing took too long. Stet keeps trying." };
  } finally {
    if (!isSwitched) {
      giveUp();
      await homes.resume(website.id);
      // What is on its way to a slow database lands before the next attempt begins.
      await rest?.catch(() => {});
    }
  }
}

async function withinMillis(millis: number, work: Promise<void>): Promise<void> {
  const late = delay(Math.max(0, millis), "late" as const, { ref: false });
  work.catch(() => {});
  if ((await Promise.race([work, late])) === "late")
    throw fail("UNAVAILABLE", "Your database was too slow for the switch. Stet keeps trying.");
}
