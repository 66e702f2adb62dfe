import type { IncomingMessage, ServerResponse } from "node:http";
import { fail } from "#domain/failure";

/** The whole body, when it has at most so many bytes. What is longer is not read to its end: the connection is closed after the answer. */
export async function readBody(request: IncomingMessage, response: ServerResponse, mostBytes: number): Promise<Buffer> {
  const tooLarge = () => {
    response.shouldKeepAlive = false;
    return fail("PAYLOAD_TOO_LARGE", `The body is larger than ${mostBytes} bytes. Send less at a time.`, { mostBytes });
  };
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) throw tooLarge();
  // Where a request announces no body, no event says that it has ended (server.ts).
  if (request.readableEnded) return Buffer.alloc(0);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes > mostBytes) reject(tooLarge());
      else chunks.push(chunk);
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    // Ended too early, or broken on the way.
    request.on("error", () => reject(fail("MALFORMED_BODY", "The body is incomplete.")));
  });
}
