import type { ServerResponse } from "node:http";

/** Errors that are thrown when the connection to the client breaks: by node's sockets and streams, by fetch, and by readers of bodies. */
const CODES: ReadonlySet<unknown> = new Set([
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ABORT_ERR",
  "ERR_STREAM_PREMATURE_CLOSE",
  "ERR_STREAM_DESTROYED",
]);

/** Aborted when the client goes away before it has its answer. */
export function untilGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** Whether the client went away, and nothing else went wrong: nobody is left to be told, and nothing is to be mended. */
export function isHangUp(error: unknown, response: Pick<ServerResponse, "destroyed" | "socket">): boolean {
  const hasGone = response.destroyed || response.socket === null || response.socket.destroyed;
  return hasGone && error instanceof Error && (CODES.has((error as NodeJS.ErrnoException).code) || error.name === "AbortError");
}
