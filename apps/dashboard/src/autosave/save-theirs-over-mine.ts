import type { Transport } from "./autosave-types.ts";
import { type ContentKey, type SavedPost, keysOf, only, type Patch, sameValue, type ServerPost } from "./content.ts";
import type { Conflict } from "./save-state.ts";

/**
 * Saves mine into the history, then theirs on top of it. Returns the newer post instead if someone saved again meanwhile.
 * An attempt that failed between the two saves can be repeated.
 */
export async function saveTheirsOverMine(
  transport: Transport,
  mine: Patch,
  { theirs, keys }: Conflict,
): Promise<{ saved: SavedPost } | { newer: ServerPost }> {
  const asRevision = { autosave: false, keepalive: false };
  const current = await transport.load();
  const isMine = keysOf(mine).every((key) => sameValue(mine[key], current.working[key]));
  if (current.version !== theirs.version && !isMine) return { newer: current };
  // After half an attempt the post has mine where theirs is to come back. A slug may have followed my title.
  const isOthers = (key: ContentKey) => key !== "slug" && !keys.includes(key) && !sameValue(current.working[key], theirs.working[key]);
  if (keysOf(current.working).some(isOthers))
    return { newer: { ...current, working: { ...current.working, ...only(theirs.working, keys) } } };
  const kept = isMine ? current : await transport.save(mine, { expectedVersion: theirs.version, ...asRevision });
  return { saved: await transport.save(only(theirs.working, keys), { expectedVersion: kept.version, ...asRevision }) };
}
