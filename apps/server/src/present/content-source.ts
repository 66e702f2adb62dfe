import type { WebsiteId } from "#domain/ids";
import type { ContentStore } from "#ports/content-store";

/** Presenting a post needs its website, the store that holds its terms and images, and the address of this service. */
export interface ContentSource {
  readonly websiteId: WebsiteId;
  readonly content: ContentStore;
  /** Without a slash at the end. */
  readonly publicUrl: string;
}
