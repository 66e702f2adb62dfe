import type { IncomingMessage } from "node:http";
import { BlockList, isIP, isIPv4, type Socket } from "node:net";

/** Which client a request comes from, as far as limits are concerned. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * The address of the client that connected; behind a proxy that the operator trusts (STET_TRUST_PROXY), the one that the proxy names in
 * `X-Forwarded-For`. The header is read from its end, because only what trusted proxies appended is true; what stands before
 * that was written by the client. `true`: every connection comes from a proxy, and only the last entry is believed.
 */
export function createClientAddress(trustedProxies: true | readonly string[]): ClientAddress {
  if (trustedProxies === true) {
    return (request) => addressGroup(forwarded(request).at(-1) ?? "") ?? ofSocket(request.socket);
  }
  if (trustedProxies.length === 0) return (request) => ofSocket(request.socket);
  const trusted = networks(trustedProxies);
  const isTrusted = (address: string): boolean => trusted.check(address, isIPv4(address) ? "ipv4" : "ipv6");
  return (request) => {
    let client = plain(request.socket.remoteAddress ?? "");
    const hops = forwarded(request);
    while (isIP(client) && isTrusted(client) && hops.length > 0) {
      const before = plain(hops.pop()!);
      // A text that is no address was not written by a trusted proxy.
      if (!isIP(before)) break;
      client = before;
    }
    return addressGroup(client) ?? ofSocket(request.socket);
  };
}

const ADDRESS = Symbol("client address");

/** Worked out once per connection. */
function ofSocket(socket: Socket & { [ADDRESS]?: string }): string {
  return (socket[ADDRESS] ??= addressGroup(socket.remoteAddress ?? "") ?? "unknown");
}

/**
 * The form in which addresses are counted: an IPv6 client has a whole /64 to choose from, so that is one client. Null when
 * it is no address.
 */
export function addressGroup(text: string): string | null {
  const address = plain(text);
  const version = isIP(address);
  if (version === 4) return address;
  return version === 6 ? `${firstFour(address)}::/64` : null;
}

/** Without brackets, port and zone; an IPv4 address in IPv6 clothes is the IPv4 address. */
function plain(text: string): string {
  const trimmed = text.trim();
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1];
  const address = (bracketed ?? trimmed.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1")).replace(/%.*$/, "").toLowerCase();
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1] ?? address;
}

function firstFour(address: string): string {
  const [before = "", after] = address.split("::");
  const head = before === "" ? [] : before.split(":");
  // An IPv4 tail stands for two groups; it lies in the half that is cut off, but it decides how many zeros "::" is.
  const tail = after ? after.split(":").length + (after.includes(".") ? 1 : 0) : 0;
  const groups =
    after === undefined ? head : [...head, ...Array<string>(Math.max(0, 8 - head.length - tail)).fill("0"), ...after.split(":")];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || "0", 16).toString(16))
    .join(":");
}

function forwarded(request: IncomingMessage): string[] {
  const header = request.headers["x-forwarded-for"];
  const text = Array.isArray(header) ? header.join(",") : (header ?? "");
  return text === "" ? [] : text.split(",");
}

function networks(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", bits] = entry.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}
