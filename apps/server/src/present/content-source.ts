import type { WebsiteId } from "#domain/ids";
import type { ContentStore } from "#ports/content-store";

/** Presenting a post needs its website, the store that holds its terms and images, and the addresses of both website and service. */
export interface ContentSource {
  readonly websiteId: WebsiteId;
  readonly content: ContentStore;
  /** The public address of the website, without a slash at the end; null while it has none. */
  readonly websiteUrl: string | null;
  /** The address of this service, without a slash at the end. */
  readonly publicUrl: string;
  /** Where the originals of the website's images are, if not with this service (domain/website). */
  readonly imageBase?: string | null | undefined;
}
