import { createContentStores } from "#main/content-stores";
import type { ContentStore } from "#ports/content-store";
import type { ContentStores } from "#ports/content-stores";

export { createContentStores };

/** Everything lies in this store. */
export const oneStore = (content: ContentStore): ContentStores => createContentStores(content);
