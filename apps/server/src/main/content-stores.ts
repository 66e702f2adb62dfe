import { AsyncLocalStorage } from "node:async_hooks";
import type { Replica } from "#adapters/postgres/content/replica";
import type { HomedWebsite } from "#domain/content-home";
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
    if (website.home.kind !== "managed") return lentOnce(website, () => openedWhenAsked(managed, website, withOwn), work);
    if (!replica || !seen) return work(managed);
    const read = await replica.read(website, seen.contentVersion, work);
    return read ? read.value : work(managed);
  },
});

/** A customer's database while it is lent. */
interface Loan {
  readonly website: HomedWebsite;
  /** It was given back. */
  readonly isOver: boolean;
  use<T>(work: (content: ContentStore) => Promise<T>): Promise<T>;
}

const currentLoan = new AsyncLocalStorage<Loan>();

/**
 * Work may ask for the same database once more, as an operation does that runs others. It uses the one that it has: with a place for each, works
 * that hold all places and wait for one more would wait for each other.
 */
function lentOnce<T>(website: HomedWebsite, lend: () => Loan, work: (content: ContentStore) => Promise<T>): Promise<T> {
  const outer = currentLoan.getStore();
  const isSame = outer && !outer.isOver && outer.website.id === website.id && outer.website.home.epoch === website.home.epoch;
  if (isSame) return outer.use(work);
  const loan = lend();
  return currentLoan.run(loan, () => loan.use(work));
}

/**
 * A customer's database opens with the first question to it and not before: keys, settings and the end of the connection itself are within
 * reach while it is away, and what needs it fails as any store does that does not answer. It is given back with the last work that uses it.
 */
function openedWhenAsked(alike: ContentStore, website: HomedWebsite, withOwn: WithContent): Loan {
  const over = Promise.withResolvers<void>();
  over.promise.catch(() => {});
  let lending: Promise<void> | undefined;
  let opening: Promise<ContentStore> | undefined;
  let isOpen = false;
  let users = 0;
  let failure: { readonly error: unknown } | null = null;
  const open = () =>
    (opening ??= new Promise<ContentStore>((resolve, reject) => {
      lending = withOwn(website, (content) => {
        isOpen = true;
        resolve(content);
        return over.promise;
      });
      lending.catch(reject);
    }));
  const content = askedThrough(alike, open);
  return {
    website,
    get isOver() {
      return users === 0;
    },
    async use(work) {
      users += 1;
      try {
        return await work(content);
      } catch (error) {
        failure ??= { error };
        throw error;
      } finally {
        users -= 1;
        if (users === 0) {
          // Whoever lends it hears that something failed.
          if (failure) over.reject(failure.error);
          else over.resolve();
          if (isOpen) await lending?.catch(() => {});
        }
      }
    },
  };
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
