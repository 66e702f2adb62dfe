import type { GrantId } from "#domain/ids";
import { MINUTE, timestamp } from "#domain/time";
import type { Services } from "../kernel/services.ts";

/** Which connections were used, written down together now and then: no request waits for it. */
export interface LastUses {
  add(id: GrantId): void;
  close(): Promise<void>;
}

const FLUSH_MILLIS = 5_000;

export function createLastUses({ connections, clock, onTrouble }: Services, flushMillis = FLUSH_MILLIS): LastUses {
  /** When each was used last; of what is written already, the minute is kept so that it is written once a minute. */
  const waiting = new Map<GrantId, number>();
  const written = new Map<GrantId, number>();
  let timer: NodeJS.Timeout | undefined;
  let flushing = Promise.resolve();

  const flush = async (): Promise<void> => {
    timer = undefined;
    const used = [...waiting].map(([id, at]) => ({ id, at: timestamp(at), calls: 0 }));
    waiting.clear();
    if (written.size > 10_000) written.clear();
    for (const { id, at } of used) written.set(id, Math.floor(Date.parse(at) / MINUTE));
    await connections.touch(used).catch((error: unknown) => onTrouble("The last use of connections could not be written down", error));
  };
  return {
    add(id) {
      const now = clock().getTime();
      if (written.get(id) === Math.floor(now / MINUTE)) return;
      waiting.set(id, now);
      timer ??= setTimeout(() => (flushing = flush()), flushMillis).unref();
    },
    async close() {
      clearTimeout(timer);
      await flushing;
      await flush();
    },
  };
}
