import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGuardedFetcher } from "./fetcher.ts";

let answer: RequestListener = () => {};
let origin: string;
let requests = 0;
const server = createServer((request, response) => {
  requests += 1;
  answer(request, response);
});
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const limits = { accept: "text/plain", mostBytes: 100, timeoutMillis: 10_000 };
const open = createGuardedFetcher({ privateTargets: ["127.0.0.1"] });

test("what is there is read whole, with its type and for how long it may be kept", async () => {
  answer = (request, response) => {
    response.writeHead(200, { "Content-Type": "Text/Plain; charset=utf-8", "Cache-Control": "max-age=60" });
    response.end(request.headers.accept);
  };
  const fetched = await open.get(`${origin}/file`, limits);
  expect(fetched).toMatchObject({ status: 200, contentType: "text/plain", cacheControl: "max-age=60" });
  expect(Buffer.from("bytes" in fetched ? fetched.bytes : []).toString()).toBe("text/plain");
});

test("what is too large is an error, never a part, whether its length was said or not", async () => {
  answer = (_, response) => void response.end("x".repeat(101));
  expect(await open.get(origin, limits)).toEqual({ error: "The answer is larger than 100 bytes." });
  answer = (_, response) => {
    response.write("x".repeat(60));
    response.end("x".repeat(60));
  };
  expect(await open.get(origin, limits)).toEqual({ error: "The answer is larger than 100 bytes." });
});

test("an answer that wants to change the protocol is an error, at once", async () => {
  answer = (request) => void request.socket.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: chat\r\nConnection: Upgrade\r\n\r\n");
  expect(await open.get(origin, limits)).toEqual({ error: "The connection was closed before the answer was complete." });
});

test("a redirect is an answer, and is not followed", async () => {
  answer = (_, response) => void response.writeHead(302, { Location: `${origin}/elsewhere` }).end();
  const before = requests;
  expect(await open.get(origin, limits)).toMatchObject({ status: 302 });
  expect(requests).toBe(before + 1);
});

test("an answer that drips ends with the time", async () => {
  answer = (_, response) => void response.write("x");
  expect(await open.get(origin, { ...limits, timeoutMillis: 100 })).toMatchObject({
    error: expect.stringContaining("No complete answer") as string,
  });
});

test("a private address is never connected to, by number or by name", async () => {
  const closed = createGuardedFetcher({ privateTargets: [], resolve: async () => [{ address: "127.0.0.1", family: 4 }] });
  const before = requests;
  for (const url of [origin, origin.replace("http:", "https:"), origin.replace("http://127.0.0.1", "https://tools.example")]) {
    expect(await closed.get(url, limits)).toHaveProperty("error");
  }
  expect(requests).toBe(before);
});
