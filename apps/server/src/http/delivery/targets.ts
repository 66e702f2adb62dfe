import { LRUCache } from "lru-cache";
import { type RawQuery, readQuery } from "./query.ts";
import { type Movable, movesUp } from "./move-up.ts";
import type { Match } from "../shared/router.ts";
import type { DeliveryRoute } from "./routes.ts";

/** A request target, taken apart. */
export interface Target extends Movable {
  readonly match: Match<DeliveryRoute>;
  readonly query: RawQuery;
  /** The same for the same answer, however its parameters are written or ordered. */
  readonly address: string;
  /** The same for the Markdown form. */
  readonly markdownAddress: string;
}

/** Targets that were read, so that those that come again and again need not be. They belong to no website. */
export interface Targets {
  get(target: string, now: number): Target | undefined;
  /** Refuses what the route does not know. */
  read(target: string, match: Match<DeliveryRoute>): Target;
}

const MOST = 10_000;
const LONGEST = 300;

export function createTargets(): Targets {
  const known = new LRUCache<string, Target>({ max: MOST });
  return {
    get(target, now) {
      const found = known.peek(target);
      if (found && movesUp(found, now)) known.get(target);
      return found;
    },
    read(target, match) {
      const query = readQuery(target, match.value.parameters);
      const address = addressOf(match, query);
      const read: Target = { match, query, address, markdownAddress: `${address}\u0000markdown`, movedAt: 0 };
      if (target.length <= LONGEST) known.set(target, read);
      return read;
    },
  };
}

/** NUL stands in no value, so no two addresses can run into each other. */
function addressOf({ value, params }: Match<DeliveryRoute>, query: RawQuery): string {
  let address = value.path;
  for (const name in params) address += `\u0000${params[name]}`;
  for (const [name, given] of query) address += `\u0000${name}=${given}`;
  return address;
}
