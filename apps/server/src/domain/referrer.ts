// Anybody can report any host, and the owner and their assistant read it: a name that is longer than names of websites are, or made
// of many words, was written to be read and not to be visited.
const LONGEST = 100;
const MOST_LABELS = 6;
const MOST_HYPHENS = 6;
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,24}|xn--[a-z0-9-]{1,58}[a-z0-9])$/;

/** Whether it looks like the host of a website, in the form in which hosts are kept. */
export const isPlausibleHost = (host: string): boolean =>
  host.length <= LONGEST && HOST.test(host) && host.split(".").length <= MOST_LABELS && host.split("-").length - 1 <= MOST_HYPHENS;

/**
 * The host that led a reader here, without `www.`: its path and query can tell who somebody is, so they are never kept.
 * Null when the reader came from nowhere, from the blog itself, from an app, or from a bare network address.
 */
export function referrerHost(referrer: string, ownHost: string | null): string | null {
  const url = URL.canParse(referrer) ? new URL(referrer) : null;
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  const host = withoutWww(url.hostname.replace(/\.$/, ""));
  if (!isPlausibleHost(host)) return null;
  return ownHost !== null && host === withoutWww(ownHost) ? null : host;
}

/** `example.com` and `www.example.com` are one place to readers. */
export const withoutWww = (host: string): string => (host.startsWith("www.") ? host.slice(4) : host);
