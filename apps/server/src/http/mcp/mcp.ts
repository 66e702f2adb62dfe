import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AuthInfo } from "@modelcontextprotocol/server";
import type { Connection } from "#domain/connection";
import { fail } from "#domain/failure";
import type { EnterLine } from "#domain/line";
import { MCP_PATH } from "#domain/oauth-record";
import { type Clock, millis, SECOND, type Timestamp } from "#domain/time";
import { type BucketRule, holdsToken } from "#domain/token-bucket";
import { type KeptBucket, secondsToNext, wholeOf } from "#usage/rates/kept-bucket";
import { createRates, type Rates } from "#usage/rates/rates";
import { createClientAddress } from "../shared/client-address.ts";
import { createBuckets } from "../shared/buckets.ts";
import type { Handler } from "../dispatcher.ts";
import { untilGone } from "../shared/hang-up.ts";
import { readBodyInLine } from "../shared/large-bodies.ts";
import { CONNECTION_RATE, limitHeaders, UNKNOWN_RATE } from "./limits.ts";
import { allowOrigin, PREFLIGHT } from "./origins.ts";

/** An image of 3 MB in base64, or a body of 1 MiB with everything escaped. */
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_BUCKETS = 50_000;
/** How many tokens at a time are looked up for an address that has used up its attempts: one of them may be good. */
const MOST_LOOKUPS = 4;
/** The same for tokens that this install made, by their mark: more than the clients of one office, and a bound for one that repeats an old token. */
const MOST_OF_OURS = 256;

export interface McpTransportOptions {
  readonly publicUrl: string;
  /** The connection behind an access token, as it is now; null when the token opens nothing. */
  readonly tokens: {
    find(token: string): Promise<{ readonly connection: Connection; readonly expiresAt: Timestamp } | null>;
    /** This install made it, as far as that can be told without asking. */
    isOurs(token: string): boolean;
  };
  /** A call of a tool in its plainest form, answered without the ceremony; null for whatever is anything else. */
  readonly answerPlainly?: (headers: Record<string, string>, message: unknown, authInfo: AuthInfo) => Promise<object> | null;
  /** The protocol itself, behind this door. */
  readonly serve: (request: Request, options: { authInfo: AuthInfo; parsedBody?: unknown }) => Promise<Response>;
  readonly clock: Clock;
  /** Where large bodies wait. */
  readonly bodies: EnterLine;
  /** Whose `X-Forwarded-For` is believed (STET_TRUST_PROXY). */
  readonly trustedProxies: true | readonly string[];
  /** Tests that call often, or want to be refused soon, have a rule of their own. */
  readonly connectionRate?: BucketRule;
  /** The buckets that are shared with other nodes; without, this node counts for itself. */
  readonly rates?: Rates;
}

/**
 * `/mcp`: what comes before the protocol. Origin, method, token, limits, size. Each request stands for itself; there are no
 * sessions, so a connection that was cut is cut with the next one. Project keys and cookies open nothing here.
 */
export function createMcpTransport(options: McpTransportOptions): Handler {
  const { publicUrl, tokens, serve, clock, rates = createRates() } = options;
  const rule = options.connectionRate ?? CONNECTION_RATE;
  const publicOrigin = new URL(publicUrl).origin;
  const clientAddress = createClientAddress(options.trustedProxies);
  const connections = createBuckets(MOST_BUCKETS, "mcp connection", rates);
  const strangers = createBuckets(MOST_BUCKETS, "mcp address", rates);
  /** How many tokens are being looked up now, by address. */
  const lookups = new Map<string, number>();

  return async (request, response, context) => {
    if (context.path !== MCP_PATH && context.path !== `${MCP_PATH}/`)
      throw fail("ROUTE_NOT_FOUND", `There is no such route. The MCP server is at ${publicUrl}${MCP_PATH}.`);
    setHeaders(response, allowOrigin(request.headers.origin, publicOrigin));
    if (request.method === "OPTIONS") {
      response.writeHead(204, PREFLIGHT).end();
      return;
    }
    if (request.method !== "POST") {
      throw fail("METHOD_NOT_ALLOWED", "The MCP server only accepts POST: it has no sessions and no streams.", { allow: "POST, OPTIONS" });
    }
    const found = await admit(request, response);
    if (!found) return;
    const { connection, expiresAt } = found;
    const body = await readBodyInLine(request, response, MOST_BYTES, options.bodies, connection.userId);
    const authInfo: AuthInfo = {
      // The token stays at the door: nothing behind it needs it, so nothing can give it away.
      token: "",
      clientId: connection.client.id,
      scopes: ["mcp"],
      expiresAt: Math.floor(millis(expiresAt) / SECOND),
      extra: { connection, requestId: context.requestId },
    };
    await answer(request, response, body, authInfo);
  };

  /** A token that is good is never refused for what strangers did at its address; null when it is not, or too many are being tried there. */
  async function lookUp(token: string, address: string, mayTry: boolean) {
    const trying = lookups.get(address) ?? 0;
    if (!mayTry && trying >= (tokens.isOurs(token) ? MOST_OF_OURS : MOST_LOOKUPS)) return null;
    lookups.set(address, trying + 1);
    try {
      return await tokens.find(token);
    } finally {
      const left = lookups.get(address)! - 1;
      if (left === 0) lookups.delete(address);
      else lookups.set(address, left);
    }
  }

  /** The connection, or null when the refusal has been sent. */
  async function admit(request: IncomingMessage, response: ServerResponse) {
    const now = clock().getTime();
    const token = /^Bearer +([\w.~+/-]+=*) *$/i.exec(request.headers.authorization ?? "")?.[1];
    const address = clientAddress(request);
    const stranger = strangers.of(address, UNKNOWN_RATE, now);
    const found = token === undefined ? null : await lookUp(token, address, holdsToken(stranger));
    if (!found) {
      if (await rates.take([stranger])) throw tooMany(response, "address", UNKNOWN_RATE, stranger);
      setHeaders(response, limitHeaders("address", UNKNOWN_RATE, wholeOf(stranger)));
      refuse(response, publicUrl, token !== undefined);
      return null;
    }
    const bucket = connections.of(found.connection.id, rule, now);
    if (await rates.take([bucket])) throw tooMany(response, "connection", rule, bucket);
    setHeaders(response, limitHeaders("connection", rule, wholeOf(bucket)));
    return found;
  }

  async function answer(request: IncomingMessage, response: ServerResponse, body: Buffer, authInfo: AuthInfo) {
    const parsed = parse(body);
    // Batches left the protocol in 2025: one request would be many calls for one token of the bucket.
    if (Array.isArray(parsed))
      return sendMessage(response, 400, rpcError(-32_600, "Batches are not supported. Send one message per request."));
    const headers = headersOf(request);
    const plain = options.answerPlainly?.(headers, parsed, authInfo);
    if (plain) return sendMessage(response, 200, await plain);
    const web = new Request(publicUrl + MCP_PATH, {
      method: "POST",
      headers,
      signal: untilGone(response),
      ...(parsed === undefined && { body: new Uint8Array(body) }),
    });
    await send(response, await serve(web, { authInfo, ...(parsed !== undefined && { parsedBody: parsed }) }));
  }
}

function setHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

function tooMany(response: ServerResponse, name: string, rule: BucketRule, bucket: KeptBucket) {
  setHeaders(response, limitHeaders(name, rule, wholeOf(bucket)));
  const seconds = secondsToNext(bucket);
  return fail("RATE_LIMITED", `Too many requests. Wait ${seconds} s, then slow down.`, { retryAfterSeconds: seconds });
}

/** Where to sign in stands in the header: clients begin with it by themselves. */
function refuse(response: ServerResponse, publicUrl: string, hadToken: boolean): void {
  const description = hadToken
    ? "The token is unknown or has expired, or the app was disconnected. Sign in again."
    : "Sign in first: send an access token as Authorization: Bearer.";
  const metadata = `${publicUrl}/.well-known/oauth-protected-resource${MCP_PATH}`;
  const body = JSON.stringify({ error: "invalid_token", error_description: description });
  response.writeHead(401, {
    "WWW-Authenticate": `Bearer error="invalid_token", error_description="${description}", scope="mcp", resource_metadata="${metadata}"`,
    "Content-Type": "application/json",
    "Cache-Control": "no-store",
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}

/**
 * Read exactly as the protocol's library reads it, a byte order mark included: else a batch could hide behind one. Undefined when
 * it is no JSON: the protocol has an answer of its own for that.
 */
function parse(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

/** The headers that the protocol reads. Not the token, and nothing of the connection below. */
const READ = ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name", "mcp-session-id", "last-event-id"];

function headersOf(request: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === "string" && (READ.includes(name) || name.startsWith("mcp-param-"))) headers[name] = value;
  }
  return headers;
}

const rpcError = (code: number, message: string) => ({ jsonrpc: "2.0", id: null, error: { code, message } });

function sendMessage(response: ServerResponse, status: number, message: object): void {
  const body = Buffer.from(JSON.stringify(message));
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store", "Content-Length": body.length }).end(body);
}

async function send(response: ServerResponse, answer: Response): Promise<void> {
  const headers: Record<string, string> = { "Cache-Control": "no-store" };
  for (const [name, value] of answer.headers) if (name !== "cache-control") headers[name] = value;
  if (answer.body !== null && headers["content-type"]?.startsWith("text/event-stream")) {
    response.writeHead(answer.status, headers);
    await stream(answer.body, response);
    return;
  }
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, { ...headers, "Content-Length": body.length }).end(body);
}

/** Piece by piece, as fast as the client takes them. One that goes away ends the call as well; there is nobody left to tell. */
async function stream(body: NonNullable<Response["body"]>, response: ServerResponse): Promise<void> {
  try {
    for await (const piece of body) {
      if (response.destroyed) return;
      if (!response.write(piece)) await Promise.race([once(response, "drain"), once(response, "close")]);
    }
    response.end();
  } catch {
    response.destroy();
  }
}
