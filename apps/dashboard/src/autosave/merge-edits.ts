import { type Content, type ContentKey, fingerprint, keysOf, type Patch, sameValue } from "./content.ts";

/** Values a field had before the edit, by fingerprint: as last acknowledged, and as sent without an answer yet. */
export type Before = Partial<Record<ContentKey, readonly string[]>>;

export interface Meeting {
  /** Edits that still have to be saved, on top of what is there now. */
  readonly left: readonly ContentKey[];
  /** Fields that both sides changed, to different values. */
  readonly clashes: readonly ContentKey[];
}

/**
 * What becomes of one's edits when the server holds something newer. Field by field: what the others left alone can be
 * saved on top; what they made the same is done; only what both changed needs a person.
 */
export function meet(mine: Patch, before: Before, theirs: Content): Meeting {
  const left: ContentKey[] = [];
  const clashes: ContentKey[] = [];
  for (const key of keysOf(mine)) {
    if (sameValue(mine[key], theirs[key])) continue;
    left.push(key);
    if (!before[key]?.includes(fingerprint(theirs[key]))) clashes.push(key);
  }
  return { left, clashes };
}

/** A save without an answer may have arrived: what it sent is as good as what was acknowledged. */
export const beforeOf = (keys: readonly ContentKey[], acknowledged: Content, sent: Before): Before =>
  Object.fromEntries(keys.map((key) => [key, [fingerprint(acknowledged[key]), ...(sent[key] ?? [])]]));

/** Also sent, without an answer yet. */
export function withSent(sent: Before, patch: Patch): Before {
  const more = keysOf(patch).map((key) => [key, [...new Set([...(sent[key] ?? []), fingerprint(patch[key])])]]);
  return { ...sent, ...Object.fromEntries(more) };
}
