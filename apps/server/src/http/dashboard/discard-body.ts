import type { IncomingMessage } from "node:http";

/** More than this is not worth the traffic, unless somebody waits for the answer. */
const MOST_BYTES = 128 * 1024 * 1024;

/**
 * Reads the rest of a body that was refused, and throws it away: a browser reads the answer only when it has sent
 * everything, and shows "the connection was reset" when it is cut off.
 */
export async function discardBody(request: IncomingMessage, mostBytes = MOST_BYTES): Promise<void> {
  if (request.readableEnded || request.destroyed || Number(request.headers["content-length"] ?? 0) > mostBytes) return;
  let bytes = 0;
  await new Promise<void>((resolve) => {
    request.on("data", (chunk: Buffer | string) => {
      bytes += chunk.length;
      if (bytes > mostBytes) resolve();
    });
    request.once("end", resolve).once("error", resolve).once("close", resolve).resume();
  });
}
