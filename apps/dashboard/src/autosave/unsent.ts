import type { Patch } from "./content.ts";
import type { Before } from "./merge-edits.ts";

/** Changes that the server has not acknowledged, as they wait in this browser. */
export interface Unsent {
  readonly patch: Patch;
  readonly before: Before;
  /** The version they were made on. */
  readonly version: number;
  /** ISO 8601. */
  readonly at: string;
  /** Where the post is, so that one can be led to it. */
  readonly websiteId?: string;
}

/** Where one open page keeps its unsent changes. */
export interface UnsentStore {
  /** False: the browser would not take it (its storage is full or switched off). */
  put(unsent: Unsent): boolean;
  clear(): void;
}

export type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const prefixOf = (userId: string, postId: string): string => `stet.unsent/${userId}/${postId}/`;

/**
 * One entry per person, post and open page, so that two pages of the same post never overwrite each other's. Local storage,
 * because it is the only one that can still be written while a page is being closed.
 */
export function unsentIn(shelf: Shelf, place: { userId: string; postId: string; deskId: string; websiteId?: string }): UnsentStore {
  const key = prefixOf(place.userId, place.postId) + place.deskId;
  return {
    put(unsent) {
      try {
        shelf.setItem(key, JSON.stringify({ ...unsent, websiteId: place.websiteId }));
        return true;
      } catch {
        return false;
      }
    },
    clear: () => shelf.removeItem(key),
  };
}

export interface Orphan {
  readonly unsent: Unsent;
  /** Once it was taken up elsewhere. */
  forget(): void;
}

/** What pages that are no longer open left behind, oldest first. */
export function orphansIn(shelf: Shelf, place: { userId: string; postId: string; living: ReadonlySet<string> }): readonly Orphan[] {
  const prefix = prefixOf(place.userId, place.postId);
  const keys = Array.from({ length: shelf.length }, (_, index) => shelf.key(index)).filter((key) => key?.startsWith(prefix)) as string[];
  return keys
    .filter((key) => !place.living.has(key.slice(prefix.length)))
    .flatMap((key) => {
      const unsent = parseUnsent(shelf.getItem(key));
      if (unsent) return [{ unsent, forget: () => shelf.removeItem(key) }];
      shelf.removeItem(key);
      return [];
    })
    .toSorted((one, other) => one.unsent.at.localeCompare(other.unsent.at));
}

/** Null: nothing that this version of the dashboard wrote. */
export function parseUnsent(text: string | null): Unsent | null {
  try {
    const entry = JSON.parse(text ?? "null") as Partial<Unsent> | null;
    const isWhole = typeof entry?.version === "number" && typeof entry.at === "string" && entry.patch && entry.before;
    return isWhole ? (entry as Unsent) : null;
  } catch {
    return null;
  }
}
