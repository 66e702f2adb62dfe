import { LRUCache } from "lru-cache";
import { createLine, type EnterLine, type LineRule } from "#domain/line";
import { MINUTE } from "#domain/time";

/** Where large bodies of requests wait, by person: they are not read before it is their turn. */
export interface BodyLine extends EnterLine {
  /**
   * Says that this person's content lies in a customer's database, which may take its time. Which website a body is for stands inside it, so it
   * is known only when the body has been read: the places that they have become places of another line, and they wait there from now on.
   */
  metOwn(who: string): void;
}

/** So long a person waits in the other line after they last met a customer's database. */
const REMEMBERED_MILLIS = 10 * MINUTE;

export function createBodyLine(rule: LineRule, what: string): BodyLine {
  const [ours, own] = [createLine(rule, what), createLine(rule, what)];
  const met = new LRUCache<string, true>({ max: 10_000, ttl: REMEMBERED_MILLIS });
  /** What moves each place in our line over to the other. */
  const moves = new Map<string, Set<() => void>>();

  const enter: EnterLine = async (who, gone) => {
    if (met.has(who)) return own(who, gone);
    let leave = await ours(who, gone);
    const of = moves.get(who) ?? new Set();
    moves.set(who, of);
    const forget = () => {
      of.delete(moveOver);
      if (of.size === 0 && moves.get(who) === of) moves.delete(who);
    };
    const moveOver = () => {
      forget();
      leave();
      leave = own.join(who);
    };
    of.add(moveOver);
    return () => {
      forget();
      leave();
    };
  };

  return Object.assign(enter, {
    metOwn(who: string) {
      met.set(who, true);
      for (const moveOver of moves.get(who) ?? []) moveOver();
    },
  });
}
