import type { Transport } from "./autosave-types.ts";
import { type AnsweredPost, keysOf, only, type Patch, sameValue } from "./content.ts";
import type { Conflict } from "./save-state.ts";

/**
 * Puts mine into the history, then theirs back on top. Answers the newest conflict instead when somebody saved again
 * meanwhile; an attempt that broke off half way is gone on with.
 */
export async function giveWay(transport: Transport, mine: Patch, { theirs, keys }: Conflict): Promise<AnsweredPost | Conflict> {
  const asRevision = { autosave: false, keepalive: false };
  const present = await transport.load();
  const isMine = keysOf(mine).every((key) => sameValue(mine[key], present.working[key]));
  if (present.version !== theirs.version && !isMine) return { theirs: present, keys };
  const kept = isMine ? present : await transport.save(mine, { expectedVersion: theirs.version, ...asRevision });
  return transport.save(only(theirs.working, keys), { expectedVersion: kept.version, ...asRevision });
}
