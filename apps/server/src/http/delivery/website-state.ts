import type { DeliveryServices } from "#delivery/services";
import type { WebsiteId, WorkspaceId } from "#domain/ids";
import type { TokenBucket } from "#domain/token-bucket";
import type { CachedResponse } from "../shared/cached-response.ts";
import type { ResponsesByAddress } from "./response-cache.ts";
import type { Usage, UsageCounter } from "#usage/usage";

/** This node's memory of a website, whichever of its keys asks. */
export interface WebsiteState {
  readonly id: WebsiteId;
  /** All its requests together; made when its plan is known. */
  bucket: TokenBucket | null;
  /** Null: something changed since it was read. */
  contentVersion: number | null;
  reading: Promise<number> | null;
  readonly responses: ResponsesByAddress;
  /** Responses being loaded now, so that requests for the same one wait for one load. */
  readonly loading: Map<string, Loading>;
  readonly counter: UsageCounter;
  /** When its content store is asked again after it failed, where a stale response is cached; in milliseconds. */
  storeRetryAt: number;
}

interface Loading {
  readonly contentVersion: number;
  readonly websiteVersion: number;
  readonly response: Promise<CachedResponse>;
}

/** One for each website that was read since the start: a few hundred bytes beside the responses, which are bounded. */
export interface WebsiteStates {
  of(id: WebsiteId, workspaceId: WorkspaceId): WebsiteState;
  /** The content version, asked for once by many. It is taken before the content is read: see `changed`. */
  readVersion(state: WebsiteState): Promise<number>;
  /** Readers of the website may see something else now: the next request reads the content version. */
  changed(id: string): void;
  changedEverywhere(): void;
}

export function createWebsiteStates(platform: DeliveryServices["platform"], usage: Usage): WebsiteStates {
  const states = new Map<string, WebsiteState>();

  function forgetVersion(state: WebsiteState): void {
    state.contentVersion = null;
    // Requests from now on must not be given a number that was read before the change.
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
        responses: new Map(),
        loading: new Map(),
        counter: usage.counter({ workspaceId, websiteId: id, keyId: null }),
        storeRetryAt: 0,
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
