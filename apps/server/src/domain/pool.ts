import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Whose turn work is: `reads` answer keys, `writes` are the operations of people and connected tools (what they read included), `jobs` are
 * done later, `limits` are the rate ledger, which requests of all kinds wait for. Each has a pool of connections of its own, so that
 * none of them waits for another.
 */
export type PoolName = "reads" | "writes" | "jobs" | "limits";

interface PoolWork {
  readonly pool: PoolName;
  /** Aborted when nobody waits for the work any more. Only for work that changes nothing. */
  readonly signal: AbortSignal | undefined;
}

const current = new AsyncLocalStorage<PoolWork>();

/** Does the work, and everything that it starts, in this pool. The signal ends what is being asked of a database when it is aborted. */
export const inPool = <T>(pool: PoolName, work: () => T, signal?: AbortSignal): T => current.run({ pool, signal }, work);

/** Does work that changes something to its end, whoever has gone meanwhile. */
export function toItsEnd<T>(work: () => T): T {
  const { pool, signal } = currentWork();
  return signal ? inPool(pool, work) : work();
}

/** Work that is not in a pool is a command or the start of the service: it writes. */
const ELSEWHERE: PoolWork = { pool: "writes", signal: undefined };

export const currentWork = (): PoolWork => current.getStore() ?? ELSEWHERE;
