import { request, type ClientRequest, type IncomingMessage } from "node:http";
import { expect, onTestFinished, test } from "vitest";
import { allowLongRequest } from "./shared/allow-long-request.ts";
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
