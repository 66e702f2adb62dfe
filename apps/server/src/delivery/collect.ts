import { isbot } from "isbot";
import { fail } from "#domain/failure";
import { isId } from "#domain/ids";
import { inPool } from "#domain/pool";
import { referrerHost } from "#domain/referrer";
import { timestamp } from "#domain/time";
import { createCountedWebsites } from "./counted-websites.ts";
import type { DeliveryServices } from "./services.ts";
import { createViewBuffer } from "./view-buffer.ts";
import { createVisitors } from "./visitors.ts";

/** Longer ones are no browser's. */
const LONGEST_USER_AGENT = 1_024;

/** Somebody says that a post was read. */
interface Visit {
  readonly website: string;
  /** A slug or an id. */
  readonly post: string;
  /** The address that led there. */
  readonly referrer: string | null;
  /** The network address it came from; used for this one question and never kept. */
  readonly address: string;
  readonly userAgent: string;
  /** The `Origin` header, where there is one. */
  readonly origin: string | null;
  /** Do Not Track or Global Privacy Control. */
  readonly wantsPrivacy: boolean;
  /** A browser fetched the page before anybody asked for it. */
  readonly isPrefetch: boolean;
}

export interface Collector {
  /**
   * Counts the visit, if it counts. The page is not told whether it did: that would tell which posts exist. Only a
   * page of a foreign origin is refused aloud, because its maker has to hear of it.
   */
  collect(visit: Visit): Promise<void>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export function createCollector(
  services: DeliveryServices,
  options: { readonly onTrouble: (message: string, error: unknown) => void; readonly everyMillis?: number },
): Collector {
  const countedWebsites = createCountedWebsites(services);
  const visitorsOf = createVisitors(services);
  const buffer = createViewBuffer({ readers: services.readers, clock: services.clock, ...options });

  return {
    async collect(visit) {
      if (!isReader(visit) || !isId("website", visit.website)) return;
      const id = visit.website;
      // Anybody can ask, and writers must not wait for it.
      const website = await inPool("reads", () => countedWebsites.of(id));
      if (!website) return;
      if (visit.origin !== null && !website.admits(visit.origin)) {
        throw fail(
          "ORIGIN_NOT_ALLOWED",
          "This origin does not belong to the website. Set the website's public address, or allow the origin in one of its keys.",
          { origin: visit.origin },
        );
      }
      const postId = await inPool("reads", () => website.postOf(visit.post));
      if (postId === null) return;
      const now = services.clock();
      const { websiteId } = website;
      buffer.add({
        websiteId,
        postId,
        at: timestamp(now),
        referrer: visit.referrer === null ? null : referrerHost(visit.referrer, website.host),
        visitors: await visitorsOf({ websiteId, address: visit.address, userAgent: visit.userAgent }, now),
      });
    },
    flush: buffer.flush,
    async close() {
      countedWebsites.close();
      await buffer.close();
    },
  };
}

/** A person with a browser who did not ask to be left out. */
function isReader({ wantsPrivacy, isPrefetch, userAgent }: Visit): boolean {
  return !wantsPrivacy && !isPrefetch && userAgent !== "" && userAgent.length <= LONGEST_USER_AGENT && !isbot(userAgent);
}
