const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** What hosts look like. The address standard lets a `;` or a quote pass, and the host goes into the page's policy. */
const PLAIN_HOST = /^[a-z0-9.:[\]-]+$/;
const DANGEROUS = /^(?:javascript|vbscript|data|blob|file|about|ftp|ws|wss):$/;

/** Where a browser is sent after the answer, as far as a person should know. */
export interface Destination {
  readonly kind: "web" | "this machine" | "app";
  /** A host, or the scheme of an app, such as `cursor:`. */
  readonly name: string;
  /** What the page's policy must allow its form to lead to. */
  readonly formAction: string;
}

export function destinationOf(redirectUri: string): Destination | null {
  const url = URL.parse(redirectUri);
  if (!url || DANGEROUS.test(url.protocol)) return null;
  if (/^https?:$/.test(url.protocol) && !PLAIN_HOST.test(url.host)) return null;
  if (url.protocol === "https:") return { kind: "web", name: url.host, formAction: url.origin };
  if (url.protocol === "http:")
    return LOOPBACK.test(url.hostname) ? { kind: "this machine", name: url.host, formAction: url.origin } : null;
  return { kind: "app", name: url.protocol, formAction: url.protocol };
}

/** https anywhere, http on the person's own machine only, apps by their scheme; nothing that runs in the page. */
export const isSafeRedirect = (redirectUri: string): boolean => destinationOf(redirectUri) !== null;
