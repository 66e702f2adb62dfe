import type { WebsiteId } from "#domain/ids";

/** An address that a reader on another host can follow: what begins at the root of this service gets its public address. */
export const absoluteUrl = (url: string, publicUrl: string): string =>
  url.startsWith("/") && !url.startsWith("//") ? publicUrl + url : url;

/** The same of every candidate. */
export const absoluteSrcset = (srcset: string, publicUrl: string): string =>
  srcset
    .split(", ")
    .map((candidate) => absoluteUrl(candidate, publicUrl))
    .join(", ");

/**
 * The text with the addresses of the website's own images made absolute: bodies hold them from the root of this service, so
 * that an install can move to another address without touching a post.
 */
export function absoluteImages(text: string, websiteId: WebsiteId, publicUrl: string): string {
  const path = `/media/${websiteId}/`;
  if (!text.includes(path)) return text;
  // Only where an address begins; one that has a host already ends in a letter, a digit or a slash there.
  return text.replaceAll(new RegExp(`(?<![\\w./:%-])${path}`, "g"), () => publicUrl + path);
}
