import { randomBytes } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isSameSecret } from "#domain/same-secret";
import type { TransportServices } from "#operations/kernel/transport-services";

const SECONDS = 180 * 24 * 60 * 60;

/** Browsers that have signed in to an account before, told by a cookie of their own that outlives the session and opens nothing. */
export interface KnownDevices {
  /** The device's own name, if it signed in to this account. */
  find(request: IncomingMessage, account: string): string | null;
  /** The cookie by which it is known from now on. */
  remember(request: IncomingMessage, account: string): string;
}

/**
 * Somebody who fails on purpose must not keep the owner of an account out of it, so devices that were let in before are counted
 * apart (attempts.ts). The cookie is a random name under a keyed hash for one account: nothing is stored, and whoever steals it
 * wins ten guesses.
 */
export function createKnownDevices({ keyring, settings: { publicUrl } }: Pick<TransportServices, "keyring" | "settings">): KnownDevices {
  const isSecure = publicUrl.startsWith("https://");
  const cookieName = `${isSecure ? "__Secure-" : ""}stet.known_device`;
  const find = (request: IncomingMessage, account: string): string | null => {
    const [device = "", hash = ""] = cookieIn(request, cookieName).split(".");
    return keyring.macs("known-device", `${device} ${account}`).some((mac) => isSameSecret(mac.hash, hash)) ? device : null;
  };
  return {
    find,
    remember(request, account) {
      const device = find(request, account) ?? randomBytes(16).toString("base64url");
      const { hash } = keyring.mac("known-device", `${device} ${account}`);
      const flags = `Max-Age=${SECONDS}; Path=/api/auth; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
      return `${cookieName}=${device}.${hash}; ${flags}`;
    },
  };
}

function cookieIn(request: IncomingMessage, name: string): string {
  const pairs = request.headers.cookie?.split(";").map((pair) => pair.trim()) ?? [];
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
}
