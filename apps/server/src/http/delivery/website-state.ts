import type { ContentState, DeliveryServices } from "#delivery/services";
import type { WebsiteId, WorkspaceId } from "#domain/ids";
import { inPool } from "#domain/pool";
import type { CachedResponse } from "../shared/cached-response.ts";
import type { ResponsesByAddress } from "./response-cache.ts";
import type { Waiters } from "./waiters.ts";
import type { KeptBucket } from "#usage/rates/kept-bucket";
import type { Usage, UsageCounter } from "#usage/usage";

/** This node's memory of a website, whichever of its keys asks. */
export interface WebsiteState {
  readonly id: WebsiteId;
  /** All its requests together; made when its plan is known. */
  bucket: KeptBucket | null;
  /** Null: something changed since it was read. */
  content: ContentState | null;
  reading: Promise<ContentState> | null;
  readonly responses: ResponsesByAddress;
  /** Responses being loaded now, so that requests for the same one wait for one load. */
  readonly loading: Map<string, Loading>;
  readonly counter: UsageCounter;
  /** Until this moment, in milliseconds, a content store that failed is left alone (`STORE_RETRY_MILLIS`). 0: it did not fail. */
  storeRetryAt: number;
}

interface Loading {
  readonly contentVersion: number;
  readonly websiteVersion: number;
  readonly storeEpoch: number;
  readonly generation: number;
  readonly response: Promise<CachedResponse>;
  readonly waiters: Waiters;
}

const NO_VERSION = -1;

/** One for each website that was read since the start: a few hundred bytes beside the responses, which are bounded. */
export interface WebsiteStates {
  of(id: WebsiteId, workspaceId: WorkspaceId): WebsiteState;
  /** The content version and the epoch, asked for once by many. They are taken before the content is read: see `changed`. */
  readContent(state: WebsiteState): Promise<ContentState>;
  /** Readers of the website may see something else now: the next request reads the content version. */
  changed(id: string): void;
  /** The same for all, and no version that was read before says anything about what is read from now on. */
  changedEverywhere(): void;
}

export function createWebsiteStates(platform: DeliveryServices["platform"], usage: Usage): WebsiteStates {
  const states = new Map<string, WebsiteState>();

  function forgetVersion(state: WebsiteState): void {
    state.content = null;
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
        content: null,
        reading: null,
        responses: new Map(),
        loading: new Map(),
        counter: usage.counter({ workspaceId, websiteId: id, keyId: null }),
        storeRetryAt: 0,
      };
      states.set(id, fresh);
      return fresh;
    },

    readContent(state) {
      if (state.reading) return state.reading;
      const reading = inPool("reads", () => platform.websites.contentState(state.id)).then(
        (content) => {
          if (state.reading === reading) {
            state.content = content;
            state.reading = null;
          }
          return content;
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
    changedEverywhere() {
      for (const state of states.values()) {
        forgetVersion(state);
        // The bytes stay: they are still good while the store does not answer, and if they are read again.
        for (const { response } of state.responses.values()) response.contentVersion = NO_VERSION;
      }
    },
  };
}
