const PREFIX = "stet.tab/";

/**
 * A tab holds a lock while it is open, and the browser releases the lock even after a crash. So the next tab can tell the
 * unsent changes of a closed tab from those of a tab that is still open. Returns how to release the lock.
 */
export function registerTab(tabId: string): () => void {
  if (!("locks" in navigator)) return () => {};
  const { promise, resolve } = Promise.withResolvers<void>();
  void navigator.locks.request(PREFIX + tabId, () => promise);
  return resolve;
}

/** The ids of tabs that are open now. A browser without locks (plain http) names none: their unsent changes are then merged like anyone's. */
export async function openTabs(): Promise<ReadonlySet<string>> {
  if (!("locks" in navigator)) return new Set();
  const { held = [] } = await navigator.locks.query();
  return new Set(held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])));
}
