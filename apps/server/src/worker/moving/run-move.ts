import { randomUUID } from "node:crypto";
import { Failure } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import { type MoveSubject, restAfter } from "#domain/move";
import { OwnStoreFault } from "#domain/own-image-store";
import type { Services } from "#operations/kernel/services";
import { type Hold, type Mover, NotMine } from "./mover.ts";
import { leftContentMover } from "./fetch-content.ts";
import { contentMover } from "./move-content.ts";
import { ownImagesMover } from "./move-own-images.ts";

/** Longer than a step goes without a word; when a node dies, another goes on after it. */
const LEASE_SECONDS = 60;

const MOVERS: Readonly<Record<MoveSubject, Mover>> = { images: ownImagesMover, content: contentMover, "left content": leftContentMover };

/**
 * Takes one step of the move that has waited longest, whosever it is; answers 0 where none is due. What fails is written down in words and
 * tried again later, for as long as nobody stops it: a store that is away for a night costs a night and nothing else.
 */
export async function runMove(
  services: Services,
  only?: { websiteId: WebsiteId; subject: MoveSubject },
  leaseSeconds = LEASE_SECONDS,
): Promise<number> {
  const { moves } = services.platform;
  const move = await moves.claim(randomUUID(), leaseSeconds, only);
  if (!move) return 0;
  const hold = holdOf(() => moves.record(move, { restSeconds: null }, leaseSeconds), leaseSeconds);
  try {
    const { progress, position, next, reason = null } = await MOVERS[move.subject].step(services, move, hold);
    const state = next === "done" || next === "failed" ? next : "running";
    const restSeconds = typeof next === "number" ? next : 0;
    await moves.record(move, { ...progress, position, state, error: reason, failures: 0, restSeconds }, leaseSeconds);
  } catch (error) {
    const failures = move.failures + 1;
    await moves.record(move, { failures, error: wordsOf(error), restSeconds: restAfter(failures) }, leaseSeconds);
    services.onTrouble(`Moving the ${move.subject} of ${move.websiteId} failed; it is tried again`, error);
  }
  return 1;
}

/**
 * For a third of the lease nobody else can have the move, whatever a write under way still takes. A node that was stopped for longer, and
 * goes on, asks before it writes anything.
 */
function holdOf(renew: () => Promise<boolean>, leaseSeconds: number): Hold {
  let sureUntil = 0;
  const isMine = async () => {
    const asked = performance.now();
    if (!(await renew())) return false;
    sureUntil = asked + (leaseSeconds * 1_000) / 3;
    return true;
  };
  return {
    isMine,
    async requireMine() {
      if (performance.now() >= sureUntil && !(await isMine())) throw new NotMine();
    },
  };
}

/** For whoever manages the website: what their store said, or what we refuse; nothing of what went wrong inside. */
function wordsOf(error: unknown): string {
  const { cause } = error as Error;
  if (cause instanceof OwnStoreFault) return cause.message;
  return error instanceof Failure ? error.message : "Something failed on this server. Stet keeps trying.";
}
