import { LRUCache } from "lru-cache";
import type { GrantId } from "#domain/ids";
import { MINUTE, SECOND, type Timestamp, timestamp } from "#domain/time";
import { createWriteBehind } from "#domain/write-behind";
import type { Services } from "../../kernel/services.ts";

/** Which connections were used, to the minute, written down together now and then: no request waits for it. */
export interface LastUses {
  add(id: GrantId): void;
  close(): Promise<void>;
}

const MOST_REMEMBERED = 10_000;

export function createLastUses({ connections, clock, onTrouble }: Pick<Services, "connections" | "clock" | "onTrouble">): LastUses {
  /** The minute in which each was last used: of one minute the first use is written. */
  const minutes = new LRUCache<GrantId, number>({ max: MOST_REMEMBERED });
  const uses = createWriteBehind<{ id: GrantId; at: Timestamp; calls: number }>({
    write: (used) => connections.touch(used),
    merging: { keyOf: ({ id }) => id, merge: (_earlier, later) => later },
    everyMillis: 5 * SECOND,
    onOutage: (error) => onTrouble("The last use of connections cannot be written down; it is kept and tried again", error),
    onLost: (error) => onTrouble("The last use of connections was not written down", error),
  });
  return {
    add(id) {
      const now = clock().getTime();
      const minute = Math.floor(now / MINUTE);
      if (minutes.get(id) === minute) return;
      minutes.set(id, minute);
      void uses.add({ id, at: timestamp(now), calls: 0 });
    },
    close: uses.close,
  };
}
