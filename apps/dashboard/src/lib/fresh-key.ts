export interface FreshKey {
  /** The key itself. */
  readonly key: string;
  /** Null: it is the only one of its website. */
  readonly id: string | null;
}

const kept = new Map<string, FreshKey>();

/**
 * A key that was made a moment ago, by website. In memory only: an address, the browser's history and its storage outlive
 * the page, and a key is shown once.
 */
export const freshKey = {
  of: (websiteId: string): FreshKey | null => kept.get(websiteId) ?? null,
  keep: (websiteId: string, key: FreshKey): void => void kept.set(websiteId, key),
};
