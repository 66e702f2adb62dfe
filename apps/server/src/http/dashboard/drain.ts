import type { IncomingMessage } from "node:http";

/** More than this is not worth the traffic. */
const MOST_BYTES = 128 * 1024 * 1024;

/**
 * Reads the rest of a body that was refused, and throws it away: a browser reads the answer only when it has sent
 * everything, and shows "the connection was reset" to whoever is cut off.
 */
export async function drain(request: IncomingMessage): Promise<void> {
  if (request.readableEnded || request.destroyed || Number(request.headers["content-length"] ?? 0) > MOST_BYTES) return;
  let bytes = 0;
  await new Promise<void>((resolve) => {
    request.on("data", (chunk: Buffer | string) => {
      bytes += chunk.length;
      if (bytes > MOST_BYTES) resolve();
    });
    request.once("end", resolve).once("error", resolve).once("close", resolve).resume();
  });
}
