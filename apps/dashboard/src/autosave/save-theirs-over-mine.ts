import type { Transport } from "./autosave-types.ts";
import { type SavedPost, keysOf, only, type Patch, sameValue } from "./content.ts";
import type { Conflict } from "./save-state.ts";

/**
 * Saves mine into the history, then theirs on top of it. Returns the newest conflict instead if someone saved again meanwhile.
 * An attempt that failed between the two saves can be repeated.
 */
export async function saveTheirsOverMine(transport: Transport, mine: Patch, { theirs, keys }: Conflict): Promise<SavedPost | Conflict> {
  const asRevision = { autosave: false, keepalive: false };
  const current = await transport.load();
  const isMine = keysOf(mine).every((key) => sameValue(mine[key], current.working[key]));
  if (current.version !== theirs.version && !isMine) return { theirs: current, keys };
  const kept = isMine ? current : await transport.save(mine, { expectedVersion: theirs.version, ...asRevision });
  return transport.save(only(theirs.working, keys), { expectedVersion: kept.version, ...asRevision });
}
