export interface JustCreatedKey {
  /** The key itself. */
  readonly key: string;
  /** Null: it is the only one of its website. */
  readonly id: string | null;
}

const keys = new Map<string, JustCreatedKey>();

/**
 * The API key that was created a moment ago, by website. It is kept in memory only: addresses, the browser's history and its storage
 * outlive the page, and a key is shown once.
 */
export const justCreatedKey = {
  of: (websiteId: string): JustCreatedKey | null => keys.get(websiteId) ?? null,
  keep: (websiteId: string, key: JustCreatedKey): void => void keys.set(websiteId, key),
};
