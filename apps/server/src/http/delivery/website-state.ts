import type { DeliveryServices } from "#delivery/services";
import type { WebsiteId, WorkspaceId } from "#domain/ids";
import type { TokenBucket } from "#domain/token-bucket";
import type { Page } from "../shared/page.ts";
import type { Shelf } from "./page-cache.ts";
import type { Usage, UsageCounter } from "#usage/usage";

/** What this node remembers of a website, whichever of its keys asks. */
export interface WebsiteState {
  readonly id: WebsiteId;
  /** All its requests together; made when its plan is known. */
  bucket: TokenBucket | null;
  /** Null: something changed since it was read. */
  contentVersion: number | null;
  reading: Promise<number> | null;
  readonly pages: Shelf;
  /** Pages being made now, so that many who ask for the same one wait for one. */
  readonly making: Map<string, Making>;
  readonly counter: UsageCounter;
  /** Until when its content store is not asked again after it failed, where an old answer is held. */
  storeRestsUntil: number;
}

interface Making {
  readonly contentVersion: number;
  readonly websiteVersion: number;
  readonly page: Promise<Page>;
}

/** One for each website that was read since the start: a few hundred bytes beside the pages, which are bounded. */
export interface WebsiteStates {
  of(id: WebsiteId, workspaceId: WorkspaceId): WebsiteState;
  /** The content version, asked for once by many. It is taken before the content is read: see `changed`. */
  readVersion(state: WebsiteState): Promise<number>;
  /** What readers of the website see may be different: the next request asks for the version. */
  changed(id: string): void;
  changedEverywhere(): void;
}

export function createWebsiteStates(platform: DeliveryServices["platform"], usage: Usage): WebsiteStates {
  const states = new Map<string, WebsiteState>();

  function forgetVersion(state: WebsiteState): void {
    state.contentVersion = null;
    // Whoever asks from now on must not be given a number that was read before the change.
    state.reading = null;
  }

  return {
    of(id, workspaceId) {
      const known = states.get(id);
      if (known) return known;
      const fresh: WebsiteState = {
        id,
        bucket: null,
        contentVersion: null,
        reading: null,
        pages: new Map(),
        making: new Map(),
        counter: usage.counter({ workspaceId, websiteId: id, keyId: null }),
        storeRestsUntil: 0,
      };
      states.set(id, fresh);
      return fresh;
    },

    readVersion(state) {
      if (state.reading) return state.reading;
      const reading = platform.websites.contentVersion(state.id).then(
        (version) => {
          if (state.reading === reading) {
            state.contentVersion = version;
            state.reading = null;
          }
          return version;
        },
        (error: unknown) => {
          if (state.reading === reading) state.reading = null;
          throw error;
        },
      );
      state.reading = reading;
      return reading;
    },

    changed(id) {
      const state = states.get(id);
      if (state) forgetVersion(state);
    },
    changedEverywhere: () => states.forEach(forgetVersion),
  };
}
