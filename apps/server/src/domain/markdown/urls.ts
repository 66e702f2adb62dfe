const LINK_SCHEMES = new Set(["http", "https", "mailto", "tel"]);
const IMAGE_SCHEMES = new Set(["http", "https"]);

/** Browsers drop these before they read a URL, so `java\nscript:` is a scheme to them; we drop them before we look. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const IGNORED = /[\u0000-\u001f\u007f]+/g;

/** A link's address as it may stand in the HTML; null when it must not. */
export const safeLinkUrl = (url: string): string | null => withScheme(url, LINK_SCHEMES);

/** An image's address as it may stand in the HTML; null when it must not. */
export const safeImageUrl = (url: string): string | null => withScheme(url, IMAGE_SCHEMES);

function withScheme(url: string, schemes: ReadonlySet<string>): string | null {
  const clean = url.replace(IGNORED, "").trim();
  // Whatever stands before a colon is a scheme, unless a slash, a question mark or a hash comes first.
  const end = clean.search(/[:/?#]/);
  if (end === -1 || clean[end] !== ":") return clean;
  return schemes.has(clean.slice(0, end).toLowerCase()) ? clean : null;
}
