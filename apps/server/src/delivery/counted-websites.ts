import { LRUCache } from "lru-cache";
import type { PostId, WebsiteId } from "#domain/ids";
import { endsAfter } from "#domain/lifetime";
import { originAllowed } from "#domain/origins";
import { withoutWww } from "#domain/referrer";
import { MINUTE } from "#domain/time";
import { findPost } from "./find-post.ts";
import type { DeliveryServices } from "./services.ts";

/** Cached websites are read again after this time: a new key is not announced. */
const FRESH_MILLIS = MINUTE;
const MOST_WEBSITES = 1_000;
const MOST_POSTS = 20_000;

/** A website that can be read, as counting its readers needs it. */
export interface CountedWebsite {
  readonly websiteId: WebsiteId;
  /** Where the blog lives, when its owner said so. */
  readonly host: string | null;
  /** Whether a page of this origin may say that it was read. */
  admits(origin: string): boolean;
  /** The published post with this id, slug or former slug. */
  postOf(slugOrId: string): Promise<PostId | null>;
}

/** Websites and posts that readers are counted for, remembered until something about them changes. */
export function createCountedWebsites(services: Pick<DeliveryServices, "platform" | "contents" | "signals" | "clock">) {
  const known = new LRUCache<string, Promise<CountedWebsite | null>>({ max: MOST_WEBSITES, ...endsAfter(FRESH_MILLIS, services.clock) });
  // An answer that was under way when it changed reaches those who asked before, and nobody after.
  const stop = services.signals.subscribe((signal) => {
    if (signal === "everything" || signal.id.startsWith("ws_")) known.clear();
    else known.delete(signal.id);
  });

  async function load(id: WebsiteId): Promise<CountedWebsite | null> {
    const website = await services.platform.websites.get(id);
    if (!website) return null;
    const { publicUrl } = website.settings;
    const host = publicUrl !== null && URL.canParse(publicUrl) ? new URL(publicUrl).host : null;
    const keys = await services.platform.keys.list(id);
    const origins = keys.filter((key) => key.revokedAt === null).flatMap((key) => key.origins);
    return {
      websiteId: id,
      host,
      admits: (origin) => isAtHome(origin, host) || (origins.length === 0 ? host === null : originAllowed(origins, origin)),
      postOf: remembered(async (slugOrId) => {
        const found = await services.contents.withContent(website, (content) => findPost(content, id, slugOrId));
        return found?.post.id ?? null;
      }),
    };
  }

  return {
    async of(id: WebsiteId): Promise<CountedWebsite | null> {
      const held = known.get(id);
      if (held) return held;
      const website = load(id);
      known.set(id, website);
      const forget = () => known.peek(id) === website && known.delete(id);
      // A website that is not there is asked for again: it may be made in a moment, and nobody would say so.
      website.then((found) => found ?? forget(), forget);
      return website;
    },
    close: stop,
  };
}

/** The same host as the public address, with or without `www.`. The port and scheme are the reader's way there. */
function isAtHome(origin: string, host: string | null): boolean {
  if (host === null || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  return url.origin === origin && withoutWww(url.host) === withoutWww(host);
}

function remembered(find: (slugOrId: string) => Promise<PostId | null>): (slugOrId: string) => Promise<PostId | null> {
  // One for each website: bounded by size and not by `max`, which would take the room for all of them at once.
  const found = new LRUCache<string, Promise<PostId | null>>({ maxSize: MOST_POSTS, sizeCalculation: () => 1 });
  return (slugOrId) => {
    let post = found.get(slugOrId);
    if (!post) {
      post = find(slugOrId);
      found.set(slugOrId, post);
      post.catch(() => found.delete(slugOrId));
    }
    return post;
  };
}
