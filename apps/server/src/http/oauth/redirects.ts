const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** What hosts look like. The address standard lets a `;` or a quote pass, and the host goes into the page's policy. */
const PLAIN_HOST = /^[a-z0-9.:[\]-]+$/;
/** They run code, read files, or are a browser's or a system's own: no program waits for its answer behind one. */
const NO_APP =
  /^(?:javascript|vbscript|data|blob|filesystem|file|about|ftp|ws|wss|mailto|tel|sms|intent|view-source|chrome|edge|ms-[a-z-]+|smb|ldaps?|ssh|telnet|jar|resource):$/;

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
  if (!url || NO_APP.test(url.protocol)) return null;
  const isWeb = /^https?:$/.test(url.protocol);
  if (isWeb && !(isPlainlyWritten(redirectUri, url) && PLAIN_HOST.test(url.host))) return null;
  if (url.protocol === "https:") return { kind: "web", name: url.host, formAction: url.origin };
  if (url.protocol === "http:")
    return LOOPBACK.test(url.hostname) ? { kind: "this machine", name: url.host, formAction: url.origin } : null;
  return { kind: "app", name: url.protocol, formAction: url.protocol };
}

/**
 * What a person takes for the host is the host: nothing before an @, no backslash that only browsers read as a slash, no dot
 * behind the name, which would make it another one than the same without.
 */
const isPlainlyWritten = (text: string, { protocol, username, password, hostname }: URL): boolean =>
  text.toLowerCase().startsWith(`${protocol}//`) && !text.includes("\\") && username === "" && password === "" && !hostname.endsWith(".");

/** https anywhere, http on the person's own machine only, apps by their scheme; nothing that runs in the page. */
export const isSafeRedirect = (redirectUri: string): boolean => destinationOf(redirectUri) !== null;
