import type { HomedWebsite } from "#domain/content-home";
import type { ContentStore } from "#ports/content-store";

/**
 * Lends the store that holds the website's content while `work` is done, and not longer: it may be closed afterwards. Work that says which
 * content version it has seen only reads: it may be given a copy that has come at least so far, and may be done again where that fails.
 */
export type WithContent = <T>(
  website: HomedWebsite,
  work: (content: ContentStore) => Promise<T>,
  seen?: { readonly contentVersion: number },
) => Promise<T>;

/** All stores that content lies in: the install's own, and those of customers, which open when they are asked for. */
export interface ContentStores {
  readonly withContent: WithContent;
  /** The install's own store. It holds every website but those that moved, and of those an old copy. */
  readonly managed: ContentStore;
  /**
   * The same for whoever moves the content of a website back: its fence lets this one through for as long as the content lies where the
   * website says. Null: that store has no fence, and nothing can move.
   */
  readonly asMover: ((website: HomedWebsite) => ContentStore) | null;
}
