import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { TLSSocket } from "node:tls";
import { afterAll, expect, test } from "vitest";
import { makeCertificate } from "#test/certificate";
import { createGuardedSender, type GuardedSenderOptions } from "./sender.ts";

const seen: { host: string | undefined; servername: string | false; body: string }[] = [];
let handshakes = 0;

const { key, certificate } = await makeCertificate("hooks.test");
const server = createServer({ key, cert: certificate }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    const { servername } = request.socket as TLSSocket & { servername: string | false };
    seen.push({ host: request.headers.host, servername, body: Buffer.concat(chunks).toString() });
    response.writeHead(200).end("thanks\u0000");
  });
});
server.on("secureConnection", () => (handshakes += 1));
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const open = (more: Partial<GuardedSenderOptions> = {}) =>
  createGuardedSender({
    privateTargets: ["127.0.0.1"],
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    ca: certificate,
    ...more,
  });
const post = (sender: ReturnType<typeof open>, host = "hooks.test") =>
  sender.post({ url: `https://${host}:${port}/`, headers: {}, body: '{"ü":1}' });

test("the name stays in Host and in the handshake although the address was chosen before", async () => {
  const sender = open();
  expect(await post(sender)).toMatchObject({ status: 200, error: null, text: "thanks\ufffd" });
  expect(seen.at(-1)).toEqual({ host: `hooks.test:${port}`, servername: "hooks.test", body: '{"ü":1}' });
  sender.close();
});

test("a burst to one receiver needs one handshake", async () => {
  const sender = open();
  const before = handshakes;
  for (let i = 0; i < 5; i++) expect((await post(sender)).status).toBe(200);
  expect(handshakes - before).toBe(1);
  sender.close();
});

test("a certificate that nobody vouches for is refused", async () => {
  const sender = open({ ca: "" });
  expect(await post(sender)).toMatchObject({ status: null, error: expect.stringContaining("certificate") as string });
  sender.close();
});

test("a certificate for another name is refused", async () => {
  const sender = open();
  expect(await post(sender, "other.test")).toMatchObject({ status: null, error: "The certificate of the receiver is for another name." });
  sender.close();
});

test("a request that is ended from here is no answer", async () => {
  const sender = open({ resolve: () => new Promise(() => {}) });
  const ending = new AbortController();
  const sent = sender.post({ url: "https://hooks.test/", headers: {}, body: "" }, ending.signal);
  ending.abort();
  await expect(sent).rejects.toThrow(/abort/i);
  sender.close();
});
