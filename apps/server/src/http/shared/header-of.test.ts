import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { headerOf } from "./header-of.ts";

const NAMES = ["accept", "accept-encoding", "authorization", "if-none-match", "origin", "x-request-id"] as const;

test.each([
  ["none", ""],
  [
    "each once",
    'Accept: text/html\r\nACCEPT-ENCODING: br\r\nauthorization: Bearer a\r\nIf-None-Match: "a"\r\nOrigin: null\r\nX-Request-Id: 1\r\n',
  ],
  ["empty and padded", "Accept:\r\nOrigin:   https://a.example  \r\n"],
  ["each twice", NAMES.map((name) => `${name}: first\r\n${name.toUpperCase()}: second\r\n`).join("")],
  ["thrice", "If-None-Match: a\r\nIf-None-Match: b\r\nIf-None-Match: c\r\n"],
])("a header that is looked for is the one Node reads: %s", async (_what, lines) => {
  const read: (string | undefined)[][] = [];
  const server = createServer((request: IncomingMessage, response) => {
    read.push(
      NAMES.map((name) => headerOf(request, name)),
      NAMES.map((name) => request.headers[name] as string | undefined),
    );
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(`GET / HTTP/1.1\r\nHost: a\r\n${lines}Connection: close\r\n\r\n`);
  await text(socket);
  server.close();
  expect(read).toHaveLength(2);
  expect(read[0]).toEqual(read[1]);
});
