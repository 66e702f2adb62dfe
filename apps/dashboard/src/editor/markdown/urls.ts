const LINK_SCHEMES = new Set(["http", "https", "mailto", "tel"]);

/** Whether the service would link to this address; it leaves any other as the text it was typed as. */
export function isLinkable(url: string): boolean {
  const trimmed = url.trim();
  const end = trimmed.search(/[:/?#]/);
  return end === -1 || trimmed[end] !== ":" || LINK_SCHEMES.has(trimmed.slice(0, end).toLowerCase());
}
