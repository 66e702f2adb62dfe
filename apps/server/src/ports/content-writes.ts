import type { ContentStore } from "./content-store.ts";

/** Every method that writes. */
const WRITES = {
  posts: ["insert", "save", "putIfNewer", "purge", "settle", "saveRendering", "finishInterrupted", "countOlder"],
  claims: ["claim", "release", "move", "trust"],
  terms: ["insert", "save", "putIfNewer", "delete"],
  media: ["insert", "save", "putIfNewer", "delete", "saveFile"],
  revisions: ["put", "putIfNewer", "delete", "keep"],
  beside: ["insert", "save", "putIfNewer", "delete"],
  search: ["reindex"],
} as const satisfies { readonly [Part in keyof ContentStore]?: readonly (keyof ContentStore[Part])[] };

type Method = (...args: unknown[]) => Promise<unknown>;

/** The same store with other writes; reads stay as they are. */
function withWrites(content: ContentStore, methodFor: (part: keyof typeof WRITES, name: string) => Method): ContentStore {
  const parts = (Object.keys(WRITES) as (keyof typeof WRITES)[]).map((part) => {
    const writes = WRITES[part].map((name) => [name, methodFor(part, name)]);
    return [part, { ...content[part], ...Object.fromEntries(writes) }];
  });
  return { ...content, ...Object.fromEntries(parts) };
}

const methodOf = (content: ContentStore, part: keyof typeof WRITES, name: string): Method =>
  (content[part] as unknown as Record<string, Method>)[name]!;

/** Reads of one store, and writes of another that is the same. */
export const withWritesOf = (reads: ContentStore, writes: ContentStore): ContentStore => ({
  ...withWrites(reads, (part, name) => methodOf(writes, part, name)),
  eraseWebsite: writes.eraseWebsite,
});

/** The same store, in which each write is done by `around`, which can refuse it. */
export const aroundWrites = (content: ContentStore, around: <T>(write: () => Promise<T>) => Promise<T>): ContentStore => ({
  ...withWrites(
    content,
    (part, name) =>
      (...args) =>
        around(() => methodOf(content, part, name)(...args)),
  ),
  eraseWebsite: (...args) => around(() => content.eraseWebsite(...args)),
});
