import { type Content, type ContentKey, fingerprint, keysOf, type Patch, sameValue } from "./content.ts";

/** For each edited field, the fingerprints of values that the edit was made on: as last acknowledged, and as sent without an answer yet. */
export type BaseFingerprints = Partial<Record<ContentKey, readonly string[]>>;

export interface MergeResult {
  /** Edits that still have to be saved, on top of the newer post. */
  readonly toSave: readonly ContentKey[];
  /** Fields that both sides changed, to different values. */
  readonly conflicts: readonly ContentKey[];
}

/**
 * Compares one's edits with a newer post of the server, field by field. A field that the others did not change can be saved
 * on top, a field with the same value on both sides is done, and a field that both changed needs a person's decision.
 */
export function mergeEdits(mine: Patch, before: BaseFingerprints, theirs: Content): MergeResult {
  const toSave: ContentKey[] = [];
  const conflicts: ContentKey[] = [];
  for (const key of keysOf(mine)) {
    if (sameValue(mine[key], theirs[key])) continue;
    toSave.push(key);
    if (!before[key]?.includes(fingerprint(theirs[key]))) conflicts.push(key);
  }
  return { toSave, conflicts };
}

/** A save without an answer may have arrived, so a value that it sent counts like an acknowledged one. */
export const baseFingerprints = (keys: readonly ContentKey[], acknowledged: Content, sent: BaseFingerprints): BaseFingerprints =>
  Object.fromEntries(keys.map((key) => [key, [fingerprint(acknowledged[key]), ...(sent[key] ?? [])]]));

/** Adds the values of a patch that was sent and has no answer yet. */
export function addSent(sent: BaseFingerprints, patch: Patch): BaseFingerprints {
  const more = keysOf(patch).map((key) => [key, [...new Set([...(sent[key] ?? []), fingerprint(patch[key])])]]);
  return { ...sent, ...Object.fromEntries(more) };
}
