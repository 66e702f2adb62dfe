import type { Replica } from "#adapters/postgres/content/replica";
import { fail } from "#domain/failure";
import type { ContentStore } from "#ports/content-store";
import type { ContentStores, WithContent } from "#ports/content-stores";

/** Where there are no customers' databases. */
const noOwnStores: WithContent = async () => {
  throw fail("CONTENT_STORE_UNAVAILABLE", "The database that holds the content of this website cannot be reached. Try again in a moment.");
};

/** A website's store by its home. The install's own store costs nothing to ask for; `withOwn` opens, counts and closes the others. */
export const createContentStores = (
  managed: ContentStore,
  withOwn: WithContent = noOwnStores,
  asMover: ContentStores["asMover"] = null,
  replica: Replica | null = null,
): ContentStores => ({
  managed,
  asMover,
  async withContent(website, work, seen) {
    if (website.home.kind !== "managed") return openedWhenAsked(managed, (use) => withOwn(website, use), work);
    if (!replica || !seen) return work(managed);
    const read = await replica.read(website, seen.contentVersion, work);
    return read ? read.value : work(managed);
  },
});

/**
 * A customer's database opens with the first question to it and not before: keys, settings and the end of the connection itself are within
 * reach while it is away, and what needs it fails as any store does that does not answer.
 */
async function openedWhenAsked<T>(
  alike: ContentStore,
  lend: (use: (content: ContentStore) => Promise<void>) => Promise<void>,
  work: (content: ContentStore) => Promise<T>,
): Promise<T> {
  const over = Promise.withResolvers<void>();
  over.promise.catch(() => {});
  let lending: Promise<void> | undefined;
  let opening: Promise<ContentStore> | undefined;
  let isOpen = false;
  const open = () =>
    (opening ??= new Promise<ContentStore>((resolve, reject) => {
      lending = lend((content) => {
        isOpen = true;
        resolve(content);
        return over.promise;
      });
      lending.catch(reject);
    }));
  try {
    return await work(askedThrough(alike, open));
  } catch (error) {
    // Whoever lends it hears that it failed.
    over.reject(error);
    throw error;
  } finally {
    over.resolve();
    if (isOpen) await lending?.catch(() => {});
  }
}

type Methods = Record<string, (...args: unknown[]) => Promise<unknown>>;

/** A store of the same methods, but for the one commit with our own records: those lie in another database. */
function askedThrough(alike: ContentStore, open: () => Promise<ContentStore>): ContentStore {
  const parts = Object.entries(alike as unknown as Record<string, Methods>).map(([part, methods]) => {
    const of = async () => (await open())[part as keyof ContentStore] as unknown as Methods;
    if (typeof methods === "function") {
      return [part, async (...args: unknown[]) => ((await open()) as unknown as Methods)[part]!(...args)] as const;
    }
    const names = Object.keys(methods).filter((name) => name !== "saveWhole");
    return [part, Object.fromEntries(names.map((name) => [name, async (...args: unknown[]) => (await of())[name]!(...args)]))] as const;
  });
  return Object.fromEntries(parts) as unknown as ContentStore;
}
