import { isLinkable, schemeOf } from "@stet/markdown";

const IMAGE_SCHEMES: ReadonlySet<string | null> = new Set([null, "http", "https"]);

/** A link's address as it may stand in the HTML; null when it must not. */
export const safeLinkUrl = (url: string): string | null => (isLinkable(url) ? url.trim() : null);

/** An image's address as it may stand in the HTML; null when it must not. */
export const safeImageUrl = (url: string): string | null => (IMAGE_SCHEMES.has(schemeOf(url)) ? url.trim() : null);
