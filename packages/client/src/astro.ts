import type { Client, Fields, Post, PostSummary } from "./client.ts";
import { syncPosts } from "./sync.ts";

interface Entry {
  readonly id: string;
  readonly data: Record<string, unknown>;
  readonly body?: string;
  readonly digest?: string;
  readonly rendered?: { html: string; metadata?: { headings?: { depth: number; slug: string; text: string }[] } };
}

/** What the loader uses of what Astro gives it, so that this package needs no Astro. */
interface LoaderContext {
  readonly store: {
    get(id: string): object | undefined;
    set(entry: Entry): unknown;
    delete(id: string): unknown;
    entries(): [string, { digest?: number | string | undefined }][];
  };
  readonly meta: { get(key: string): string | undefined; set(key: string, value: string): unknown };
  readonly logger: { info(message: string): void };
  generateDigest(data: Record<string, unknown>): string;
  parseData(props: { id: string; data: Record<string, unknown> }): Promise<Record<string, unknown>>;
}

/**
 * Loads every published post into a collection, by its slug; `render(entry)` shows the body. Astro keeps the collection and the
 * cursor between builds: a build in which nothing changed makes one request.
 */
export function stetLoader<F = Fields>(client: Client<F>): { name: string; load(context: LoaderContext): Promise<void> } {
  return {
    name: "stet",
    async load(context) {
      const { store, meta, logger, generateDigest, parseData } = context;
      let renewed = 0;
      const slugsById = new Map(store.entries().map(([slug, { digest }]) => [partsOf(digest).id, slug]));
      const remove = (postId: string) => {
        const slug = slugsById.get(postId);
        const entry = slug === undefined ? undefined : (store.get(slug) as Entry | undefined);
        // Another post may have taken the slug, and its entry is there by now.
        if (entry && partsOf(entry.digest).id === postId) store.delete(slug!);
        slugsById.delete(postId);
      };
      const { cursor, read } = await syncPosts(client, {
        cursor: meta.get("cursor") ?? null,
        async onPost(post) {
          if (slugsById.get(post.id) !== post.slug) remove(post.id);
          slugsById.set(post.id, post.slug);
          store.set(await entryOf(post, context));
        },
        // The body is as it was; the names of terms, images and the like may not be.
        async onSummary(post) {
          const slug = slugsById.get(post.id);
          const entry = slug === undefined ? undefined : (store.get(slug) as Entry | undefined);
          if (slug !== post.slug || !entry || partsOf(entry.digest).summary === generateDigest({ ...post })) return;
          const data = await parseData({ id: slug, data: { ...post } });
          store.set({ ...entry, data, digest: digestOf(post, partsOf(entry.digest).body, generateDigest) });
          renewed += 1;
        },
        onRemoved: remove,
        onReset(publishedIds) {
          for (const id of slugsById.keys()) if (!publishedIds.has(id)) remove(id);
        },
      });
      meta.set("cursor", cursor);
      logger.info(
        read + renewed === 0 ? "Nothing changed" : `${read} posts loaded${renewed === 0 ? "" : `, ${renewed} with new names or images`}`,
      );
    },
  };
}

async function entryOf<F>(whole: Post<F>, { parseData, generateDigest }: LoaderContext): Promise<Entry> {
  const { body, ...post } = whole;
  const headings = (body.headings ?? []).map(({ id, depth, text }) => ({ depth, slug: id, text }));
  return {
    id: post.slug,
    data: await parseData({ id: post.slug, data: { ...post } }),
    digest: digestOf(post, generateDigest({ ...body }), generateDigest),
    ...(body.markdown !== undefined && { body: body.markdown }),
    ...(body.html !== undefined && { rendered: { html: body.html, metadata: { headings } } }),
  };
}

/** Tells which post an entry is, and whether its body or anything else of it changed. A schema of the site may leave the id out of the data. */
const digestOf = <F>(post: PostSummary<F>, body: string, digest: LoaderContext["generateDigest"]): string =>
  `${post.id} ${body} ${digest({ ...post })}`;

function partsOf(digest: unknown): { id: string; body: string; summary: string | undefined } {
  const [id = "", body = "", summary] = String(digest).split(" ");
  return { id, body, summary };
}
