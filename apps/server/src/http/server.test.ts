import { request, type ClientRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { allowLongRequest } from "./shared/allow-long-request.ts";
import { readBody } from "./shared/read-body.ts";
import { startHttpServer } from "./server.ts";

/** A request whose body has begun and does not end by itself. */
function begin(port: number, path: string): { call: ClientRequest; answer: Promise<IncomingMessage> } {
  const call = request({ port, path, method: "POST", agent: false });
  const answer = new Promise<IncomingMessage>((resolve, reject) => call.once("response", resolve).once("error", reject));
  call.write("begun");
  return { call, answer };
}

test("a request that takes too long to arrive is ended, one that was told to take its time is not", async () => {
  const arrived = Promise.withResolvers<void>();
  const server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    publicUrl: "http://127.0.0.1",
    requestMillis: 200,
    handle(incoming, response) {
      if (incoming.url === "/long") {
        allowLongRequest(incoming);
        arrived.resolve();
      }
      incoming.resume().once("end", () => response.end("all of it"));
    },
  });
  onTestFinished(() => server.stop(0));
  const long = begin(server.port, "/long");
  await arrived.promise;
  const short = begin(server.port, "/short");
  expect((await short.answer).statusCode).toBe(408);
  // The other is older than the one that was just ended.
  long.call.end(", and ended");
  const answer = await long.answer;
  expect(answer.statusCode).toBe(200);
  expect(await answer.setEncoding("utf8").reduce((text, piece: string) => text + piece, "")).toBe("all of it");
});

async function answerRead(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await readBody(incoming, response, 100);
  const rest = await text(incoming.setEncoding("utf8").iterator({ destroyOnReturn: false }) as AsyncIterable<string>);
  response.end(JSON.stringify([body.length, rest]));
}

test("a request that announces no body is read as an empty one, at once and as a stream", async () => {
  const server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    publicUrl: "http://127.0.0.1",
    handle: (incoming, response) => void answerRead(incoming, response),
  });
  onTestFinished(() => server.stop(0));
  const socket = connect({ host: "127.0.0.1", port: server.port });
  socket.write("POST / HTTP/1.1\r\nHost: stet\r\nConnection: close\r\n\r\n");
  expect(await text(socket)).toContain('[0,""]');
});

test("a server that stops answers whatever had reached the machine, and takes nothing after it", async () => {
  const server = await startHttpServer({
    host: "127.0.0.1",
    port: 0,
    publicUrl: "http://127.0.0.1",
    handle: (_incoming, response) => response.end("answered"),
  });
  const ask = (socket: Socket) => void socket.write("GET / HTTP/1.1\r\nHost: stet\r\n\r\n");
  const open = () => connect({ host: "127.0.0.1", port: server.port });
  const kept = open();
  ask(kept);
  await new Promise((resolve) => kept.once("data", resolve));
  // All of it before the server can look at any of it: a second request of a client that waited, and more connections than one turn accepts.
  ask(kept);
  const waiting = Array.from({ length: 8 }, open);
  for (const socket of waiting) ask(socket);
  const stopped = server.stop(60_000);
  const answers = await Promise.all([kept, ...waiting].map((socket) => text(socket)));
  for (const answer of answers) expect(answer).toContain("answered");
  await stopped;
  await expect(new Promise((resolve, reject) => open().once("connect", resolve).once("error", reject))).rejects.toThrow("ECONNREFUSED");
});
