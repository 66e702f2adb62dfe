const LONGEST = 253;
const HOST = /^(?=.*[a-z])[a-z0-9_-]+(\.[a-z0-9_-]+)+$/;

/**
 * The host that led a reader here, without `www.`: its path and query can tell who somebody is, so they are never kept.
 * Null when the reader came from nowhere, from the blog itself, from an app, or from a bare network address.
 */
export function referrerHost(referrer: string, ownHost: string | null): string | null {
  const url = URL.canParse(referrer) ? new URL(referrer) : null;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  const host = withoutWww(url.hostname.replace(/\.$/, ""));
  if (host.length > LONGEST || !HOST.test(host)) return null;
  return ownHost !== null && host === withoutWww(ownHost) ? null : host;
}

/** `example.com` and `www.example.com` are one place to readers. */
export const withoutWww = (host: string): string => (host.startsWith("www.") ? host.slice(4) : host);
