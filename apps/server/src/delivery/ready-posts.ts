import { LRUCache } from "lru-cache";
import { ownText } from "#domain/own-bytes";
import type { Website } from "#domain/website";
import type { ContentState } from "#ports/platform";
import type { ContentSource } from "#present/content-source";
import { type Presentable, presentPosts } from "#present/posts";

/** What lies around the bytes of one post. */
const OVERHEAD_BYTES = 300;
/** Websites of which it is remembered what is ready. */
const MOST_WEBSITES = 10_000;

/** The posts of a website as they stand in lists, ready as JSON. They hold for one state of the website's content and settings. */
export interface ReadyPosts {
  /** Whether some were made ready in this state: then a list is asked for by ids, and posts only where they are missing. */
  hasSome(): boolean;
  get(id: string): Buffer | undefined;
  /** In their order. */
  present(source: ContentSource, posts: readonly Presentable[]): Promise<readonly Buffer[]>;
}

interface Ready {
  readonly state: string;
  readonly bytes: Buffer;
}

/**
 * Keeps posts as bytes. A website's lists show the same posts in many orders, by each of their terms and in pages of any size; to present a
 * post and to write it down takes most of the time of a list that has to be made.
 */
export function keepReadyPosts(mostBytes: number) {
  const newMemory = () => ({
    posts: new LRUCache<string, Ready>({ maxSize: Math.max(1, mostBytes), sizeCalculation: ({ bytes }) => bytes.length + OVERHEAD_BYTES }),
    states: new LRUCache<string, string>({ max: MOST_WEBSITES }),
  });
  let memory = newMemory();

  return {
    of({ id, version }: Pick<Website, "id" | "version">, { contentVersion, storeEpoch }: ContentState): ReadyPosts {
      // Posts that are being read while everything is forgotten are not kept afterwards.
      const { posts: kept, states } = memory;
      const state = `${contentVersion} ${storeEpoch} ${version}`;
      const get = (postId: string): Buffer | undefined => {
        const found = kept.get(id + postId);
        return found?.state === state ? found.bytes : undefined;
      };
      return {
        hasSome: () => states.get(id) === state,
        get,
        async present(source, posts) {
          const ready = new Map<string, Buffer | undefined>(posts.map((post) => [post.id, get(post.id)]));
          const missing = posts.filter((post) => !ready.get(post.id));
          for (const summary of await presentPosts(source, missing)) {
            const bytes = ownText(JSON.stringify(summary));
            ready.set(summary.id, bytes);
            kept.set(id + summary.id, { state, bytes });
            states.set(id, state);
          }
          return posts.map((post) => ready.get(post.id)!);
        },
      };
    },
    /** For when a content version number may be used again for other content. */
    forgetAll: () => void (memory = newMemory()),
    /** Room that they take. */
    get bytes(): number {
      return memory.posts.calculatedSize;
    },
  };
}

/** For answers that hold for no state of the content. */
export const NOT_KEPT: ReadyPosts = {
  hasSome: () => false,
  get: () => undefined,
  present: async (source, posts) => (await presentPosts(source, posts)).map((summary) => Buffer.from(JSON.stringify(summary))),
};
