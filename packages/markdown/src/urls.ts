const LINK_SCHEMES = new Set(["http", "https", "mailto", "tel"]);

/**
 * What stands before a colon, unless a slash, a question mark or a hash comes first; null for an address without a scheme.
 * Compared to the letter that is stricter than browsers, which skip tabs and line breaks (`java\nscript:`), so nothing they
 * make of it can be another scheme.
 */
export function schemeOf(url: string): string | null {
  const trimmed = url.trim();
  const end = trimmed.search(/[:/?#]/);
  return end === -1 || trimmed[end] !== ":" ? null : trimmed.slice(0, end).toLowerCase();
}

/** Whether a post may link to this address. Any other stays the text it was typed as. */
export function isLinkable(url: string): boolean {
  const scheme = schemeOf(url);
  return scheme === null || LINK_SCHEMES.has(scheme);
}
