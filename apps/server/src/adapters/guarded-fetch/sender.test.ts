import { once } from "node:events";
import { createServer as createPlainServer } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createNetServer, type Server, type Socket } from "node:net";
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
  expect(await post(sender, "other.test")).toMatchObject({ status: null, error: "The receiver's certificate is for another host name." });
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

test("a kept connection that the receiver closed meanwhile is no failed attempt: a new one is made", async () => {
  const requests = new Map<Socket, number>();
  const closing = createPlainServer((request, response) => {
    const nth = (requests.get(request.socket) ?? 0) + 1;
    requests.set(request.socket, nth);
    if (nth === 1) response.end();
    else request.socket.destroy();
  });
  const url = await listening(closing);
  const sender = open();
  const answers = [await sender.post({ url, headers: {}, body: "" }), await sender.post({ url, headers: {}, body: "" })];
  expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
  expect([...requests.values()]).toEqual([2, 1]);
  sender.close();
  closing.close();
});

/** A receiver that answers with these bytes, whatever it is asked, and then closes or waits. */
async function answering(bytes: string, closes: boolean) {
  const receiver = createNetServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => (closes ? socket.end(bytes) : socket.write(bytes)));
  });
  const sender = open();
  const answer = await sender.post({ url: await listening(receiver), headers: {}, body: "{}" });
  sender.close();
  receiver.close();
  return answer;
}

test("an answer that wants to change the protocol is a failed attempt, at once", async () => {
  const answer = await answering("HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat\r\nConnection: Upgrade\r\n\r\n", false);
  expect(answer).toMatchObject({ status: null, error: "The connection was closed before the answer was complete." });
});

test("an answer of an old server, which ends with its connection, is an answer", async () => {
  expect(await answering("HTTP/1.0 200 OK\r\n\r\nthanks", true)).toMatchObject({ status: 200, error: null, text: "thanks" });
});

async function listening(receiver: Server): Promise<string> {
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  return `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
}
