import { LRUCache } from "lru-cache";
import type { WebsiteId } from "#domain/ids";
import type { ContentStore } from "#ports/content-store";
import type { ContentState } from "#ports/platform";

/** Terms and images remembered at a time, of all websites; one takes a kilobyte. */
const MOST = 10_000;

/** A record as it was in a state of the content. Null: there was none. */
interface Remembered<Found> extends ContentState {
  readonly found: Found | null;
}

export interface RememberedRecords {
  /** The store, with what is known of it in this state. */
  remembered(content: ContentStore, state: ContentState): ContentStore;
  /** For when a content version number may be used again for other content. */
  forgetAll(): void;
}

type GetMany<Id extends string, Found> = (websiteId: WebsiteId, ids: readonly Id[]) => Promise<readonly Found[]>;

/**
 * Remembers the terms and images that answers show. Many posts share them, and nearly every answer that has to be made would ask for the
 * same ones again. What was read for a content version holds for every other answer of that version, as the answer itself does.
 */
export function rememberRecords(most = MOST): RememberedRecords {
  let memory = new LRUCache<string, Remembered<object>>({ max: most });

  function remembering<Id extends string, Found extends { readonly id: Id }>(
    getMany: GetMany<Id, Found>,
    { contentVersion, storeEpoch }: ContentState,
  ): GetMany<Id, Found> {
    return async (websiteId, ids) => {
      // What is being read while everything is forgotten is not remembered afterwards.
      const here = memory;
      const found: Found[] = [];
      const missing: Id[] = [];
      for (const id of ids) {
        const known = here.get(websiteId + id);
        if (known?.contentVersion !== contentVersion || known.storeEpoch !== storeEpoch) missing.push(id);
        else if (known.found) found.push(known.found as Found);
      }
      if (missing.length === 0) return found;
      const read = new Map((await getMany(websiteId, missing)).map((each) => [each.id, each]));
      for (const id of missing) here.set(websiteId + id, { contentVersion, storeEpoch, found: read.get(id) ?? null });
      return [...found, ...read.values()];
    };
  }

  return {
    remembered: (content, state) => ({
      ...content,
      terms: { ...content.terms, getMany: remembering(content.terms.getMany, state) },
      media: { ...content.media, getMany: remembering(content.media.getMany, state) },
    }),
    forgetAll: () => void (memory = new LRUCache({ max: most })),
  };
}
