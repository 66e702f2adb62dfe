import type { IncomingMessage, ServerResponse } from "node:http";
import { fail } from "#domain/failure";
import type { EnterLine } from "#domain/line";
import { readBody } from "./read-body.ts";

/** Bodies up to this many bytes are read as they come. */
const SMALL_BYTES = 256 * 1024;
/** How long a large body may take to arrive once it is its turn: it keeps others waiting. */
const ARRIVAL_MILLIS = 60_000;

/**
 * Reads a body as `readBody` does, a large one when it is its turn: until then it stays with the client, and costs no memory. The turn
 * ends with the answer. `who` sends it, and is the one who waits when there are many.
 */
export async function readBodyInLine(
  request: IncomingMessage,
  response: ServerResponse,
  mostBytes: number,
  line: EnterLine,
  who: string,
): Promise<Buffer> {
  const length = request.headers["content-length"];
  if (length !== undefined && (Number(length) <= SMALL_BYTES || Number(length) > mostBytes)) return readBody(request, response, mostBytes);
  const gone = new AbortController();
  const whenGone = (): void => gone.abort();
  response.once("close", whenGone);
  const leave = await line(who, gone.signal);
  response.once("close", leave);
  if (response.destroyed) leave();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      response.shouldKeepAlive = false;
      reject(fail("MALFORMED_BODY", "The body took too long to arrive. Send it again over a faster connection, or send less."));
    }, ARRIVAL_MILLIS);
  });
  try {
    return await Promise.race([readBody(request, response, mostBytes), late]);
  } finally {
    clearTimeout(timer);
  }
}
