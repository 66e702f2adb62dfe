import { type Failure, fail } from "#domain/failure";
import type { ReaderEffect } from "#domain/reader-effect";
import { HOUR, millis, type Timestamp, timestamp } from "#domain/time";
import type { InWebsite } from "./operation.ts";

const WORDS = {
  publish: { done: "publications", act: "publish" },
  takedown: { done: "removals", act: "unpublish or delete what readers see" },
} as const satisfies Record<ReaderEffect, object>;

/**
 * Does a piece of work that reaches readers, within what a connected tool may do in an hour. Every way to the reader goes through here:
 * posts, terms, authors and images alike. Publications and takedowns are counted apart, each up to the connection's limit. Work that
 * fails costs nothing.
 */
export async function withinReaderBudget<Result>(
  { services, actor, now }: InWebsite,
  effect: ReaderEffect | null,
  work: () => Promise<Result>,
  /** Whether the work came about; an answer may say that it did not. */
  isDone: (result: Result) => boolean = () => true,
): Promise<Result> {
  if (effect === null || actor.type !== "tool") return work();
  const { id, publishPerHour } = actor.grant;
  const since = timestamp(millis(now) - HOUR);
  const { spent, freeAfter } = await services.connections.spend(id, effect, { at: now, since, limit: publishPerHour });
  if (spent === null) throw overspent(effect, publishPerHour, now, freeAfter);
  let done = false;
  try {
    const result = await work();
    done = isDone(result);
    return result;
  } finally {
    if (!done) await services.connections.giveBack(id, effect, spent);
  }
}

function overspent(effect: ReaderEffect, limit: number, now: Timestamp, freeAfter: Timestamp | null): Failure {
  const { done, act } = WORDS[effect];
  if (limit === 0) {
    return fail(
      "RATE_LIMITED",
      `This app is not allowed to ${act}. Ask its owner to do it, or to allow it under Settings, Connected apps.`,
    );
  }
  const seconds = freeAfter === null ? HOUR / 1_000 : Math.max(1, Math.ceil((millis(freeAfter) + HOUR - millis(now)) / 1_000));
  const minutes = Math.ceil(seconds / 60);
  return fail(
    "RATE_LIMITED",
    `This app has reached its limit of ${limit} ${done} per hour. The next is possible in ${minutes} ${minutes === 1 ? "minute" : "minutes"}; its owner can raise the limit under Settings, Connected apps.`,
    { retryAfter: seconds },
  );
}
