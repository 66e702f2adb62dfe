const LINK_SCHEMES = new Set(["http", "https", "mailto", "tel"]);
const IMAGE_SCHEMES = new Set(["http", "https"]);

/** A link's address as it may stand in the HTML; null when it must not. */
export const safeLinkUrl = (url: string): string | null => withScheme(url, LINK_SCHEMES);

/** An image's address as it may stand in the HTML; null when it must not. */
export const safeImageUrl = (url: string): string | null => withScheme(url, IMAGE_SCHEMES);

/**
 * Whatever stands before a colon is a scheme, unless a slash, a question mark or a hash comes first, and must be one of
 * ours to the letter. That is stricter than browsers, which skip tabs and line breaks (`java\nscript:`), so nothing they
 * make of it can be another scheme.
 */
function withScheme(url: string, schemes: ReadonlySet<string>): string | null {
  const trimmed = url.trim();
  const end = trimmed.search(/[:/?#]/);
  if (end === -1 || trimmed[end] !== ":") return trimmed;
  return schemes.has(trimmed.slice(0, end).toLowerCase()) ? trimmed : null;
}
