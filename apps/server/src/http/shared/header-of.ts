import type { IncomingMessage } from "node:http";

/**
 * One header of a request, as `request.headers` has it. That makes an object of all of them, which costs the read path more than
 * everything else it does with a request; this looks for one.
 */
export function headerOf(
  request: IncomingMessage,
  name: "accept" | "accept-encoding" | "authorization" | "if-none-match" | "origin" | "range" | "x-request-id",
): string | undefined {
  const { rawHeaders } = request;
  let found: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index]!;
    if (sent.length !== name.length || sent.toLowerCase() !== name) continue;
    // Sent twice: Node knows for each whether they are joined, or which one counts.
    if (found !== undefined) return request.headers[name] as string | undefined;
    found = rawHeaders[index + 1];
  }
  return found;
}
