import type { WebsiteId } from "#domain/ids";
import type { ContentStore } from "#ports/content-store";

/** An adapter as a test file hands it to the suite. */
export interface OpenedStore {
  readonly store: ContentStore;
  /** Reads the number that visible writes raise. */
  readonly contentVersion?: (websiteId: WebsiteId) => Promise<number>;
  /** Removes all content. Called between tests, for servers that read whole collections for a list. */
  readonly empty?: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** What each test is given. Every test has websites of its own, so that tests cannot see each other's content. */
export interface Tools {
  readonly store: ContentStore;
  readonly website: WebsiteId;
  readonly otherWebsite: WebsiteId;
}

export interface Suite {
  test(title: string, run: (tools: Tools) => Promise<void>): void;
  /** Tests that only read what `make` made: it is made once for all of them. */
  readingOne<Made>(
    what: string,
    make: (tools: Tools) => Promise<Made>,
    tests: (test: (title: string, run: (tools: Tools & { readonly made: Made }) => Promise<void>) => void) => void,
  ): void;
  /** Page sizes to walk by, without those too small for the adapter. */
  limits(...limits: readonly number[]): readonly number[];
  /** For tests that need to read the content version. */
  testVersion(title: string, run: (tools: Tools & { contentVersion: () => Promise<number> }) => Promise<void>): void;
}

/** A test that an adapter cannot pass, by its exact title, and why that is accepted. */
export interface Exemption {
  readonly test: string;
  readonly because: string;
}
