import { BlockList, isIP, isIPv6 } from "node:net";

/** IPv4 that is not the public internet: the special-purpose registry of IANA, and what clouds keep for themselves. */
const CLOSED_4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8], // this network
  ["10.0.0.0", 8], // private
  ["100.64.0.0", 10], // shared by carriers; Alibaba's metadata service
  ["127.0.0.0", 8], // loopback
  ["168.63.129.16", 32], // Azure's own channel to its machines
  ["169.254.0.0", 16], // link-local; the metadata service of most clouds
  ["172.16.0.0", 12], // private
  ["192.0.0.0", 24], // protocol assignments; Oracle's metadata service
  ["192.0.2.0", 24], // documentation
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24], // 6to4 relays
  ["192.168.0.0", 16], // private
  ["192.175.48.0", 24],
  ["198.18.0.0", 15], // benchmarks
  ["198.51.100.0", 24], // documentation
  ["203.0.113.0", 24], // documentation
  ["224.0.0.0", 4], // multicast
  ["240.0.0.0", 4], // reserved, broadcast
];

/** Within global unicast, what leads elsewhere: tunnels that carry an IPv4 address inside, and documentation. */
const CLOSED_6: readonly (readonly [string, number])[] = [
  ["2001::", 23], // protocol assignments, Teredo
  ["2001:db8::", 32], // documentation
  ["2002::", 16], // 6to4
  ["2620:4f:8000::", 48],
  ["3fff::", 20], // documentation
];

const closed = new BlockList();
for (const [network, bits] of CLOSED_4) closed.addSubnet(network, bits, "ipv4");
for (const [network, bits] of CLOSED_6) closed.addSubnet(network, bits, "ipv6");

/** All that is handed out to the public. Loopback, mapped and compatible IPv4, NAT64, ULA, link-local, multicast lie outside. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");

/** Whether an address belongs to the public internet. What is not an address does not. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 0) return false;
  if (version === 4) return !closed.check(address, "ipv4");
  // A zone names an interface of this machine.
  return !address.includes("%") && globalUnicast.check(address, "ipv6") && !closed.check(address, "ipv6");
}

/** Which addresses may be called: public ones, and those in networks that the operator opened. */
export function allowedAddresses(privateTargets: true | readonly string[]): {
  (address: string): boolean;
  /** Whether the operator opened it: there plain http is fine too. */
  isOpened(address: string): boolean;
} {
  const opened = new BlockList();
  for (const entry of privateTargets === true ? [] : privateTargets) {
    const [network = "", bits] = entry.split("/");
    const family = isIPv6(network) ? "ipv6" : "ipv4";
    opened.addSubnet(network, bits === undefined ? (family === "ipv6" ? 128 : 32) : Number(bits), family);
  }
  const isOpened = (address: string) => {
    const version = isIP(address);
    return version !== 0 && (privateTargets === true || opened.check(address, version === 6 ? "ipv6" : "ipv4"));
  };
  return Object.assign((address: string) => isPublicAddress(address) || isOpened(address), { isOpened });
}
