import type { Patch } from "./content.ts";
import type { BaseFingerprints } from "./merge-edits.ts";

/** Changes that the server has not acknowledged, as this browser stores them. The names of the fields are stored too, so they stay. */
export interface Unsent {
  readonly patch: Patch;
  readonly before: BaseFingerprints;
  /** The version of the post that the changes were made on. */
  readonly version: number;
  /** ISO 8601. */
  readonly at: string;
  /** The website of the post, for a link to it. */
  readonly websiteId?: string;
}

/** Where one open tab stores its unsent changes. */
export interface UnsentStore {
  /** False: the browser did not store the changes, because its storage is full or switched off. */
  put(unsent: Unsent): boolean;
  clear(): void;
}

export type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

const prefixOf = (userId: string, postId: string): string => `stet.unsent/${userId}/${postId}/`;

/**
 * Stores one entry per person, post and open tab, so that two tabs of the same post never overwrite each other's. Local storage
 * is used because no other storage can be written while a page is being closed.
 */
export function unsentStore(
  storage: BrowserStorage,
  owner: { userId: string; postId: string; tabId: string; websiteId?: string },
): UnsentStore {
  const key = prefixOf(owner.userId, owner.postId) + owner.tabId;
  return {
    put(unsent) {
      try {
        storage.setItem(key, JSON.stringify({ ...unsent, websiteId: owner.websiteId }));
        return true;
      } catch {
        return false;
      }
    },
    clear: () => storage.removeItem(key),
  };
}

/** Unsent changes whose tab is closed. */
export interface Orphan {
  readonly unsent: Unsent;
  /** Deletes the entry, once another tab has restored it. */
  delete(): void;
}

/** The unsent changes that closed tabs left behind, oldest first. */
export function orphansOf(
  storage: BrowserStorage,
  owner: { userId: string; postId: string; openTabs: ReadonlySet<string> },
): readonly Orphan[] {
  const prefix = prefixOf(owner.userId, owner.postId);
  const keys = Array.from({ length: storage.length }, (_, index) => storage.key(index)).filter((key) =>
    key?.startsWith(prefix),
  ) as string[];
  return keys
    .filter((key) => !owner.openTabs.has(key.slice(prefix.length)))
    .flatMap((key) => {
      const unsent = parseUnsent(storage.getItem(key));
      if (unsent) return [{ unsent, delete: () => storage.removeItem(key) }];
      storage.removeItem(key);
      return [];
    })
    .toSorted((one, other) => one.unsent.at.localeCompare(other.unsent.at));
}

/** Null: the text was not written by this version of the dashboard. */
export function parseUnsent(text: string | null): Unsent | null {
  try {
    const entry = JSON.parse(text ?? "null") as Partial<Unsent> | null;
    const isWhole = typeof entry?.version === "number" && typeof entry.at === "string" && entry.patch && entry.before;
    return isWhole ? (entry as Unsent) : null;
  } catch {
    return null;
  }
}
