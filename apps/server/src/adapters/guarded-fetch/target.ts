import { isIP } from "node:net";
import type { allowedAddresses } from "#domain/network-addresses";

/** Below are services that were never meant to be talked to in HTTP: mail, shells, directories. */
const FIRST_FREE_PORT = 1_024;
const MAX_URL_CHARACTERS = 2_048;

export type Allowed = ReturnType<typeof allowedAddresses>;

/** The host without the brackets of IPv6. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, "");

/**
 * The address as it would be called, or why it never will be. Reading it as a URL turns decimal, octal, hexadecimal and
 * shortened forms of an IP address into the plain one, which is then judged.
 */
export function readTarget(text: string, allowed: Allowed, plainHttp: boolean): URL | string {
  const url = text.length <= MAX_URL_CHARACTERS ? URL.parse(text) : null;
  if (!url) return "This is not a valid address. Enter one such as https://example.com/hooks.";
  if (url.protocol !== "https:" && !(plainHttp && url.protocol === "http:"))
    return "Only https addresses are allowed. Enter one that starts with https://.";
  if (url.username || url.password)
    return "The address cannot contain a user name or password. Leave them out; the signature proves who is calling.";
  const isOpen = plainHttp && (isIP(hostOf(url)) === 0 || allowed.isOpened(hostOf(url)));
  if (url.port && Number(url.port) < FIRST_FREE_PORT && !(isOpen && url.port === "80"))
    return "This port is not allowed. Use 443, or 1024 and above.";
  if (url.protocol === "http:" && !isOpen) return "Only https addresses are allowed. Enter one that starts with https://.";
  if (url.hostname === "" || (isIP(hostOf(url)) !== 0 && !allowed(hostOf(url)))) return PRIVATE;
  return url;
}

export const PRIVATE = "The address is private or reserved. Use one that is reachable from the public internet.";
