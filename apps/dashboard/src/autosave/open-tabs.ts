const PREFIX = "stet.desk/";

/**
 * A page holds a lock for as long as it is open, however it ends: a crash gives it back too. So the next page can tell what
 * a closed one left behind from what another tab is still working on.
 */
export function holdDesk(deskId: string): () => void {
  if (!("locks" in navigator)) return () => {};
  const { promise, resolve } = Promise.withResolvers<void>();
  void navigator.locks.request(PREFIX + deskId, () => promise);
  return resolve;
}

/** Pages that are open now. Where the browser cannot tell (plain http), none: what they left is met like anyone's change. */
export async function livingDesks(): Promise<ReadonlySet<string>> {
  if (!("locks" in navigator)) return new Set();
  const { held = [] } = await navigator.locks.query();
  return new Set(held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])));
}
