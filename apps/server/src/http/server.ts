import { type IncomingMessage, Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setImmediate as turnOfLoop } from "node:timers/promises";
import { fail } from "#domain/failure";
import { newId } from "#domain/ids";
import { isLongRequest } from "./shared/allow-long-request.ts";
import { answerProblem, sendProblem } from "./shared/problem.ts";

export interface HttpServer {
  readonly port: number;
  /** Takes no more connections, lets requests finish for at most `graceMillis`, then cuts them. */
  stop(graceMillis: number): Promise<void>;
}

/**
 * For so many turns of the event loop connections are still taken when the server stops: the line of the kernel is half as long. And for so
 * many milliseconds: where every turn is long, requests that were taken must still have time to be answered.
 */
const MOST_TURNS = 1_000;
const MOST_MILLIS = 2_000;
/** While a turn takes longer, in milliseconds, others come. */
const SHORT_TURN_MILLIS = 1;

/**
 * A client takes a connection for open that the system has accepted and we have not, and sends its request. Closing would reset it, so those
 * are taken first: one a turn of the event loop, until a short turn brings none. What had arrived on open connections is read by then, too.
 * `node:cluster` calls `close` as well.
 */
class DrainingServer extends Server {
  override close(callback?: (error?: Error) => void): this {
    void this.#closeLater(callback);
    return this;
  }

  async #closeLater(callback?: (error?: Error) => void): Promise<void> {
    await this.#takeWaiting();
    super.close(callback);
  }

  async #takeWaiting(): Promise<void> {
    let isQuiet = false;
    const note = (): void => void (isQuiet = false);
    this.on("connection", note);
    // The turn that runs may be past its reading.
    await turnOfLoop();
    const until = performance.now() + MOST_MILLIS;
    for (let turn = 0; !isQuiet && turn < MOST_TURNS && performance.now() < until; turn++) {
      const began = performance.now();
      isQuiet = true;
      await turnOfLoop();
      if (performance.now() - began > SHORT_TURN_MILLIS) isQuiet = false;
    }
    this.off("connection", note);
  }
}

export async function startHttpServer(options: {
  host: string;
  /** 0: any free one. */
  port: number;
  publicUrl: string;
  handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** How long a whole request may take to arrive, in milliseconds, unless it may take its time (allow-long-request.ts). */
  requestMillis?: number;
}): Promise<HttpServer> {
  const { requestMillis = 300_000 } = options;
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (hasOneHost(request)) options.handle(request, response);
    else refuseHost(response, options.publicUrl);
  };
  const server = new DrainingServer(
    {
      maxHeaderSize: 16 * 1024,
      // Slow or idle clients must not hold connections for ever.
      headersTimeout: Math.min(20_000, requestMillis),
      requestTimeout: requestMillis,
      // Longer than the 60 s after which most proxies close: else they send into a connection that we just closed.
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: Math.min(5_000, requestMillis),
      // Asked below: node's own refusal has no request id.
      requireHostHeader: false,
      // The life of a stream that brings nothing costs a reader's request a twentieth of its time. Only `readBody` reads where no body may be.
      optimizeEmptyRequests: true,
    },
    answer,
  );
  // A client that expects anything else than `100-continue` gets the answer all the same; node's own 417 has no request id.
  server.on("checkExpectation", answer);
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => refuseUnreadable(error, socket, options.publicUrl));
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explain(error, options)));
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async stop(graceMillis) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection whose request finishes now stays open for the next one, which must not come any more. Immediates follow upon reading.
      const sweep = setInterval(() => setImmediate(() => server.closeIdleConnections()), 50);
      const cut = setTimeout(() => server.closeAllConnections(), graceMillis);
      await closed;
      clearInterval(sweep);
      clearTimeout(cut);
    },
  };
}

/** None or several: a proxy in front may have read another one than we would (RFC 9112, 3.2). */
function hasOneHost({ rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0);
}

function refuseHost(response: ServerResponse, publicUrl: string): void {
  const requestId = newId("request");
  response.setHeader("X-Request-Id", requestId);
  response.setHeader("Connection", "close");
  sendProblem(response, fail("MALFORMED_BODY", "A request must have exactly one Host header."), { requestId, publicUrl });
}

/** Bytes that are no HTTP request get an answer too, with a request id, before the connection is closed. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket, publicUrl: string): void {
  if (error.code === "ERR_HTTP_REQUEST_TIMEOUT" && isLongRequest(socket)) return;
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const requestId = newId("request");
  const close = `X-Request-Id: ${requestId}\r\nConnection: close\r\n`;
  if (error.code === "HPE_HEADER_OVERFLOW") socket.end(`HTTP/1.1 431 Request Header Fields Too Large\r\n${close}Content-Length: 0\r\n\r\n`);
  else if (error.code === "ERR_HTTP_REQUEST_TIMEOUT") socket.end(`HTTP/1.1 408 Request Timeout\r\n${close}Content-Length: 0\r\n\r\n`);
  else {
    const { body } = answerProblem(fail("MALFORMED_BODY", "This is not a valid HTTP request."), { requestId, publicUrl });
    socket.end(
      `HTTP/1.1 400 Bad Request\r\n${close}Content-Type: application/problem+json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }
}

function explain(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): Error {
  if (error.code === "EADDRINUSE")
    return new Error(`Port ${port} on ${host} is in use by another program. Stop it, or set PORT to another number.`);
  if (error.code === "EACCES") return new Error(`Port ${port} may not be used by this user. Set PORT to a number above 1023.`);
  if (error.code === "EADDRNOTAVAIL" || error.code === "ENOTFOUND")
    return new Error(`HOST is ${host}, which is not an address of this machine. Set HOST to 127.0.0.1, or to 0.0.0.0 for all addresses.`);
  return error;
}
