const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;
/** The form of a host. The address standard lets a `;` or a quote pass, and the host goes into the page's policy. */
const PLAIN_HOST = /^[a-z0-9.:[\]-]+$/;
/**
 * A scheme belongs to the app that waits behind it only if it is the app maker's domain written backwards, as RFC 8252 asks, or known to be
 * an app's. Any other may be a system's own, which opens a file, a search or a shop, or runs code.
 */
const REVERSE_DOMAIN = /^[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)+:$/;
const KNOWN_APPS = new Set([
  "claude:",
  "cursor:",
  "goose:",
  "kiro:",
  "raycast:",
  "vscode:",
  "vscode-insiders:",
  "vscodium:",
  "warp:",
  "windsurf:",
  "zed:",
]);

/** Where a browser is sent after the answer, as far as a person should know. */
export interface Destination {
  readonly kind: "web" | "this machine" | "app";
  /** A host, or the scheme of an app, such as `cursor:`. */
  readonly name: string;
  /** The address that the page's policy must let its form lead to. */
  readonly formAction: string;
}

export function destinationOf(redirectUri: string): Destination | null {
  const url = URL.parse(redirectUri);
  if (!url) return null;
  const isWeb = /^https?:$/.test(url.protocol);
  if (isWeb && !(isPlainlyWritten(redirectUri, url) && PLAIN_HOST.test(url.host))) return null;
  if (url.protocol === "https:") return { kind: "web", name: url.host, formAction: url.origin };
  if (url.protocol === "http:")
    return LOOPBACK.test(url.hostname) ? { kind: "this machine", name: url.host, formAction: url.origin } : null;
  const isApp = KNOWN_APPS.has(url.protocol) || REVERSE_DOMAIN.test(url.protocol);
  return isApp ? { kind: "app", name: url.protocol, formAction: url.protocol } : null;
}

/**
 * The host is the part that a person takes for it: nothing before an @, no backslash that only browsers read as a slash, no dot
 * behind the name, which would make it another one than the same without.
 */
const isPlainlyWritten = (text: string, { protocol, username, password, hostname }: URL): boolean =>
  text.toLowerCase().startsWith(`${protocol}//`) && !text.includes("\\") && username === "" && password === "" && !hostname.endsWith(".");

/** https anywhere, http on the person's own machine only, apps by a scheme that is theirs. */
export const isSafeRedirect = (redirectUri: string): boolean => destinationOf(redirectUri) !== null;
