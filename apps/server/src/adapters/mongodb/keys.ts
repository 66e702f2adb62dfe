import type { WebsiteId } from "#domain/ids";
import { isId } from "#domain/ids";

/** `_id` of a document: the website first, so that a tenant's documents lie together and can be sharded by it. */
export const keyOf = (websiteId: WebsiteId, ...parts: readonly string[]): string => [websiteId, ...parts].join("/");

/** The part of a key after the website; null when the key belongs to another website. */
export function partsOf(websiteId: WebsiteId, key: unknown): readonly string[] | null {
  if (typeof key !== "string" || !key.startsWith(`${websiteId}/`)) return null;
  return key.slice(websiteId.length + 1).split("/");
}

/** The website of a key met in a sweep over all websites; null when it has none. */
export function websiteOf(key: unknown): WebsiteId | null {
  if (typeof key !== "string") return null;
  const [website = ""] = key.split("/", 1);
  return isId("website", website) ? website : null;
}
