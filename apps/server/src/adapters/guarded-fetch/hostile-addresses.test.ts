import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isPublicAddress } from "#domain/network-addresses";
import type { Resolved } from "#ports/names";
import type { Resolver } from "./resolve.ts";
import { createGuardedSender } from "./sender.ts";

/** Counts whoever comes: every connection here is one that should not have been made. */
let connections = 0;
const trap = createServer((socket) => {
  connections += 1;
  socket.destroy();
});
let port: number;
beforeAll(async () => {
  trap.listen(0, "127.0.0.1");
  await once(trap, "listening");
  port = (trap.address() as AddressInfo).port;
});
afterAll(() => void trap.close());

const entry = (address: string): Resolved => ({ address, family: address.includes(":") ? 6 : 4 });
/** What names stand for, as an attacker would have it. */
const NAMES: Record<string, readonly string[]> = {
  "private.attacker.example": ["10.1.2.3"],
  "loopback.attacker.example": ["127.0.0.1"],
  "metadata.attacker.example": ["169.254.169.254"],
  "loopback6.attacker.example": ["::1"],
  "mapped.attacker.example": ["::ffff:127.0.0.1"],
  "nat64.attacker.example": ["64:ff9b::7f00:1"],
  "ula.attacker.example": ["fd00:ec2::254"],
  "zone.attacker.example": ["fe80::1%eth0"],
  "mixed.attacker.example": ["93.184.216.34", "192.168.1.1"],
  "mixed6.attacker.example": ["2606:2800:220:1::1", "fc00::1"],
  localhost: ["127.0.0.1"],
  "metadata.google.internal": ["169.254.169.254"],
  "empty.attacker.example": [],
};
const resolve: Resolver = async (name) => (NAMES[name] ?? []).map(entry);

/** Everything by which someone might reach what only this machine or its network can. `PORT` is a port where someone listens. */
const HOSTILE = [
  // Other schemes, and what is no address at all.
  "http://example.com/",
  "ftp://example.com/",
  "file:///etc/passwd",
  "gopher://127.0.0.1:6379/_INFO",
  "data:text/plain,hello",
  "javascript:alert(1)",
  "//example.com/hook",
  "example.com/hook",
  "https://",
  "",
  `https://example.com/${"a".repeat(3_000)}`,
  // Credentials, and ports that are not for the web.
  "https://user:password@example.com/",
  "https://user@example.com/",
  "https://127.0.0.1@example.com/",
  "https://example.com:25/",
  "https://example.com:22/",
  "https://example.com:80/",
  // IPv4 in every form a parser may take.
  "https://127.0.0.1:PORT/",
  "https://127.1:PORT/",
  "https://127.0.1:PORT/",
  "https://2130706433:PORT/",
  "https://0x7f000001:PORT/",
  "https://0x7f.0.0.1:PORT/",
  "https://0177.0.0.1:PORT/",
  "https://017700000001:PORT/",
  "https://127.0.0.1.:PORT/",
  "https://１２７.０.０.１:PORT/",
  "https://①②⑦.⓪.⓪.①:PORT/",
  "https://%31%32%37.0.0.1:PORT/",
  "https://0:PORT/",
  "https://0.0.0.0:PORT/",
  "https://10.0.0.1/",
  "https://172.16.0.1/",
  "https://172.31.255.255/",
  "https://192.168.0.1/",
  "https://100.64.0.1/",
  "https://100.100.100.200/latest/meta-data/",
  "https://169.254.169.254/latest/meta-data/",
  "https://2852039166/latest/meta-data/",
  "https://0xa9fea9fe/",
  "https://168.63.129.16/",
  "https://192.0.0.192/",
  "https://198.18.0.1/",
  "https://203.0.113.7/",
  "https://224.0.0.1/",
  "https://240.0.0.1/",
  "https://255.255.255.255/",
  // IPv6, and IPv4 hidden in it.
  "https://[::1]:PORT/",
  "https://[::]:PORT/",
  "https://[0:0:0:0:0:0:0:1]:PORT/",
  "https://[::ffff:127.0.0.1]:PORT/",
  "https://[::ffff:7f00:1]:PORT/",
  "https://[::127.0.0.1]:PORT/",
  "https://[64:ff9b::127.0.0.1]/",
  "https://[64:ff9b:1::a00:1]/",
  "https://[2002:7f00:1::]/",
  "https://[2001:0:7f00:1::]/",
  "https://[fe80::1]/",
  "https://[fc00::1]/",
  "https://[fd00:ec2::254]/",
  "https://[ff02::1]/",
  "https://[2001:db8::1]/",
  "https://[100::1]/",
  // Names that stand for something else.
  ...Object.keys(NAMES).map((name) => `https://${name}:PORT/`),
  "https://LOCALHOST:PORT/",
  "https://loopback.attacker.example\\@example.com:PORT/",
];

test("there are enough hostile addresses to mean something", () => {
  expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(70);
});

test.each(HOSTILE)("refused, and nobody is connected to: %s", async (address) => {
  const sender = createGuardedSender({ privateTargets: [], resolve, timeoutMillis: 1_000 });
  const before = connections;
  const answer = await sender.post({ url: address.replace("PORT", String(port)), headers: {}, body: "{}" });
  expect(answer.status).toBeNull();
  // Not a connection that happened to fail: it was refused, or there is no such name.
  expect(answer.error).toMatch(
    /private or reserved|Only https|not a valid address|user name or password|This port|host name was not found/,
  );
  expect(connections).toBe(before);
  sender.close();
});

test("a name that changes its answer between the check and the connection reaches only what was checked", async () => {
  const answers = ["93.184.216.34", "127.0.0.1", "127.0.0.1"];
  let asked = 0;
  const rebinding: Resolver = async () => [entry(answers[Math.min(asked++, answers.length - 1)]!)];
  const sender = createGuardedSender({ privateTargets: [], resolve: rebinding, timeoutMillis: 250 });
  const before = connections;
  const first = await sender.post({ url: `https://rebind.attacker.example:${port}/`, headers: {}, body: "{}" });
  expect(first.status).toBeNull();
  expect(asked).toBe(1);
  const second = await sender.post({ url: `https://rebind.attacker.example:${port}/`, headers: {}, body: "{}" });
  expect(second.error).toContain("private or reserved");
  expect(connections).toBe(before);
  sender.close();
});

test("a name server that never answers counts against the time limit", async () => {
  const sender = createGuardedSender({ privateTargets: [], resolve: () => new Promise(() => {}), timeoutMillis: 100 });
  const answer = await sender.post({ url: "https://example.com/", headers: {}, body: "{}" });
  expect(answer.error).toContain("No complete answer");
  sender.close();
});

test.each(["1.1.1.1", "93.184.216.34", "172.32.0.1", "100.128.0.1", "2606:4700:4700::1111", "2a00:1450:4001:80f::200e"])(
  "the public internet can be reached: %s",
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test("an operator opens networks one by one, and only there plain http", async () => {
  const sender = createGuardedSender({ privateTargets: ["127.0.0.0/8", "fd00::/8"] });
  expect(sender.refusalOf(`http://127.0.0.1:${port}/`)).toBeNull();
  expect(sender.refusalOf("https://[fd00::1]/")).toBeNull();
  expect(sender.refusalOf("https://10.0.0.1/")).toContain("private");
  expect(sender.refusalOf("http://93.184.216.34/")).toContain("https");
  const named = createGuardedSender({ privateTargets: ["127.0.0.0/8"], resolve: async () => [entry("93.184.216.34")] });
  expect((await named.post({ url: "http://public.example/", headers: {}, body: "" })).error).toContain("private or reserved");
});
