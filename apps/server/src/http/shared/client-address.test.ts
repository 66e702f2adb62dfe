import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { addressGroup, createClientAddress } from "./client-address.ts";

const request = (remoteAddress: string, forwardedFor?: string): IncomingMessage =>
  ({ socket: { remoteAddress }, headers: { "x-forwarded-for": forwardedFor } }) as unknown as IncomingMessage;

describe("an address as limits count it", () => {
  test.each([
    ["192.0.2.7", "192.0.2.7"],
    ["192.0.2.7:5123", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["::FFFF:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
    ["[2001:db8:1:2::1]:443", "2001:db8:1:2::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["2001:db8::", "2001:db8:0:0::/64"],
    ["1::2:3:4:5:6:7", "1:0:2:3::/64"],
    ["64:ff9b::192.0.2.33", "64:ff9b:0:0::/64"],
  ])("%s is %s", (text, expected) => expect(addressGroup(text)).toBe(expected));

  test.each(["", "unknown", "_hidden", "192.0.2", "192.0.2.7.8", "2001:db8", "[::1", "evil\r\n"])("%j is none", (text) =>
    expect(addressGroup(text)).toBeNull(),
  );
});

describe("without a trusted proxy", () => {
  test("X-Forwarded-For says nothing", () => {
    const addressOf = createClientAddress([]);
    expect(addressOf(request("192.0.2.1", "203.0.113.9"))).toBe("192.0.2.1");
  });
});

describe("behind trusted proxies", () => {
  const addressOf = createClientAddress(["10.0.0.0/8", "fd00::/8", "192.0.2.1"]);

  test.each([
    ["one proxy", "10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["a chain of them", "10.0.0.1", "203.0.113.9, 10.2.3.4, 192.0.2.1", "203.0.113.9"],
    ["what the client wrote in front is not believed", "10.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9"],
    ["a proxy reached over IPv6", "fd00::1", "2001:db8:1:2::5", "2001:db8:1:2::/64"],
    ["a proxy in IPv6 clothes", "::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["no header: the proxy itself asks", "10.0.0.1", undefined, "10.0.0.1"],
    ["something that is no address", "10.0.0.1", "unknown", "10.0.0.1"],
    ["nothing but proxies", "10.0.0.1", "10.0.0.2", "10.0.0.2"],
    ["a stranger who claims to be a proxy", "203.0.113.50", "198.51.100.1", "203.0.113.50"],
  ])("%s", (_case, socket, forwardedFor, expected) => expect(addressOf(request(socket, forwardedFor))).toBe(expected));
});

describe("when whoever connects is a proxy", () => {
  const addressOf = createClientAddress(true);

  test("only the last entry is believed: it is the one that was appended", () => {
    expect(addressOf(request("203.0.113.50", "198.51.100.1, 198.51.100.2"))).toBe("198.51.100.2");
    expect(addressOf(request("203.0.113.50", "garbage"))).toBe("203.0.113.50");
    expect(addressOf(request("203.0.113.50"))).toBe("203.0.113.50");
  });
});
