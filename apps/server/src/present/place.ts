import type { WebsiteId } from "#domain/ids";
import type { ContentStore } from "#ports/content-store";

/** What presenting needs to know: whose content, where its terms and images lie, and the address of this service. */
export interface PresentingPlace {
  readonly websiteId: WebsiteId;
  readonly content: ContentStore;
  /** Without a slash at the end. */
  readonly publicUrl: string;
}
