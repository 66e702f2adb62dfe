import type { Client, Fields, Post, PostSummary } from "./client.ts";
import type { CallOptions } from "./options.ts";
import { SlugOwners } from "./slug-owners.ts";

export interface SyncOptions<F = Fields> {
  /** Where the last sync ended; null the first time. */
  readonly cursor: string | null;
  /**
   * A post that is new or changed. Several are read at a time, so calls can overlap. `previousSlugs`: what it was called since the last sync,
   * without those that another post has by now, so that its pages there can be removed.
   */
  onPost(post: Post<F>, previousSlugs: readonly string[]): unknown;
  /** A post that is not published any more, before posts are handed out; `slugs` are without those that another post has by now. */
  onRemoved(postId: string, slugs: readonly string[]): unknown;
  /**
   * Every published post without its body, whenever something changed: categories, tags, authors, images and settings have no entries in the list
   * of changes, but their new names stand in here. It costs a request for every hundred posts; without it none.
   */
  onSummary?(post: PostSummary<F>): unknown;
  /** Everything is read again, for the first time or because the cursor was too old: what is not among these ids is gone. Posts come afterwards. */
  onReset?(publishedIds: ReadonlySet<string>): unknown;
  /** Which form of the body is read; both unless told. */
  readonly format?: "html" | "markdown" | undefined;
  readonly options?: CallOptions | undefined;
}

export interface SyncResult {
  /** Keep it for the next sync, once everything else is written. */
  readonly cursor: string;
  readonly reset: boolean;
  /** Whether anything that readers see may be another than at the last sync, be it the name of a tag. */
  readonly changed: boolean;
  /** How many posts were read. */
  readonly read: number;
}

/** How many posts are asked for at a time; how many requests are sent at a time is up to the client. */
const AT_A_TIME = 16;

/**
 * Brings a copy of the published posts up to date. When nothing changed it makes one request. Old answers, which a server gives while its
 * database is away, are not taken: they would stay, because the cursor has gone on.
 */
export async function syncPosts<F = Fields>(client: Client<F>, sync: SyncOptions<F>): Promise<SyncResult> {
  const options = { freshOnly: true, ...sync.options };
  // A cursor of ours is the server's with the fingerprint that came with it.
  const [since = null, known] = sync.cursor?.split("~") ?? [];
  let cursor = since;
  let fingerprint: string | undefined;
  let reset = false;
  /** What each post was called; that it was removed, only the post itself can tell for sure. */
  const told = new Map<string, { readonly slugs: Set<string>; isRemoved: boolean }>();
  const slugOwners = new SlugOwners();
  for await (const page of client.changes.since(since, options)) {
    reset ||= page.reset;
    ({ cursor, fingerprint } = page);
    for (const { type, postId, slug, previousSlug } of page.changes) {
      const post = told.get(postId) ?? { slugs: new Set(), isRemoved: false };
      for (const name of [previousSlug, slug]) {
        if (!name) continue;
        post.slugs.add(name);
        slugOwners.has(postId, name);
      }
      post.isRemoved = type === "removed";
      told.set(postId, post);
    }
  }
  const changed = reset || told.size > 0 || fingerprint !== known;
  const published = new Set<string>();
  if (reset) {
    for await (const { id, slug } of client.posts.all({ sort: "createdAt" }, options)) {
      published.add(id);
      slugOwners.has(id, slug);
    }
    await sync.onReset?.(published);
  }

  let read = 0;
  const readPost = (id: string) => client.posts.findById(id, sync.format === undefined ? {} : { format: sync.format }, options);
  const slugsOf = (id: string) => [...(told.get(id)?.slugs ?? [])];
  const remove = (id: string) => slugOwners.leave(id, slugsOf(id), (slugs) => sync.onRemoved(id, slugs));
  const left = new Set([...told.keys(), ...published]);
  // Removals come first, for sites that know themselves where they put a post: another one may be there next.
  await inParallel(
    [...left].filter((id) => told.get(id)?.isRemoved),
    async (id) => {
      if (await readPost(id)) return;
      left.delete(id);
      await remove(id);
    },
  );
  await inParallel([...left], async (id) => {
    const post = await readPost(id);
    if (!post) return remove(id);
    read += 1;
    await slugOwners.enter(id, post.slug);
    const previous = slugsOf(id).filter((name) => name !== post.slug);
    await slugOwners.leave(id, previous, (slugs) => sync.onPost(post, slugs));
  });
  // After a reset each post was read as it is now.
  if (!reset && sync.onSummary && fingerprint !== known) {
    for await (const post of client.posts.all({ sort: "createdAt" }, options)) await sync.onSummary(post);
  }
  return { cursor: fingerprint === undefined ? cursor! : `${cursor}~${fingerprint}`, reset, changed, read };
}

/** After an error nothing more is begun, and it is thrown once what had begun has ended: nobody writes into a copy that was given up. */
async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      await work(item).catch((error: unknown) => {
        left.length = 0;
        throw error;
      });
    }
  };
  const ended = await Promise.allSettled(Array.from({ length: AT_A_TIME }, worker));
  for (const each of ended) if (each.status === "rejected") throw each.reason;
}
