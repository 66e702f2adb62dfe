import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { ErrorCode } from "@stet/contract";
import { expect } from "vitest";
import { expectMatchesOpenapi } from "#test/openapi";

export interface Ask {
  readonly method?: string;
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The client's network address; without it, one that nobody used before, so that no limit of an address is met. */
  readonly from?: string;
  /** False: an address the document does not describe. */
  readonly described?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As they came, compressed or not. */
  readonly bytes: Buffer;
  readonly text: string;
  // oxlint-disable-next-line no-explicit-any -- tests look into answers whose shape was just checked
  readonly json: any;
  /** Of a refusal. */
  readonly code: ErrorCode | undefined;
}

const agent = new Agent({ keepAlive: true, maxSockets: 100 });
let addresses = 0;

/** An address nobody used before. */
export function freshAddress(): string {
  addresses += 1;
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`;
}

/** One request over HTTP. What the contract promises of every answer is checked here, so every test checks it. */
export async function sendRequest(port: number, path: string, ask: Ask): Promise<Answer> {
  const method = ask.method ?? "GET";
  const headers: Record<string, string> = { "X-Forwarded-For": ask.from ?? freshAddress(), ...ask.headers };
  if (ask.key) headers["Authorization"] = `Bearer ${ask.key}`;
  const answer = await new Promise<Answer>((resolve, reject) => {
    const sent = request({ host: "127.0.0.1", port, path, method, headers, agent }, (response) => {
      buffer(response).then((bytes) => resolve(answerOf(response.statusCode!, response.headers, bytes)), reject);
    });
    sent.on("error", reject);
    sent.end(ask.body);
  });
  checkPromises(method, path, answer);
  if (ask.described !== false && path.startsWith("/v1/")) checkDescription(method, path, answer);
  return answer;
}

function answerOf(status: number, headers: IncomingHttpHeaders, bytes: Buffer): Answer {
  const encoding = headers["content-encoding"];
  const text = (encoding === "br" ? brotliDecompressSync(bytes) : encoding === "gzip" ? gunzipSync(bytes) : bytes).toString();
  const json: unknown = headers["content-type"]?.includes("json") && text !== "" ? JSON.parse(text) : undefined;
  return { status, headers, bytes, text, json, code: status >= 400 ? (json as { code?: ErrorCode } | undefined)?.code : undefined };
}

const RATE_LIMIT = /^("[a-z]+";r=\d+;t=\d+)(, "[a-z]+";r=\d+;t=\d+)*$/;
const RATE_LIMIT_POLICY = /^("[a-z]+";q=\d+;w=\d+)(, "[a-z]+";q=\d+;w=\d+)*$/;

/** Every answer of /v1: a request id and both limit headers; a refusal is a problem without our insides. */
function checkPromises(method: string, path: string, { status, headers, json, text }: Answer): void {
  const what = `${method} ${path} ${status}`;
  expect(headers["x-request-id"], what).toMatch(/^[\w.-]{1,64}$/);
  if (!path.startsWith("/v1/") && path !== "/v1") return;
  expect(headers["ratelimit"], what).toMatch(RATE_LIMIT);
  expect(headers["ratelimit-policy"], what).toMatch(RATE_LIMIT_POLICY);
  if (status === 429 || status === 503) expect(headers["retry-after"], what).toMatch(/^[1-9]\d*$/);
  if (status < 400) return;
  expect(headers["content-type"], what).toBe("application/problem+json");
  if (method === "HEAD") return;
  expect(json, what).toMatchObject({ status, requestId: headers["x-request-id"] });
  expect(text, what).not.toMatch(/\bat .+:\d+:\d+|SELECT |INSERT |node_modules|127\.0\.0\.1|ECONN/);
}

function checkDescription(method: string, path: string, { status, headers, json, text }: Answer): void {
  const body = method === "HEAD" || text === "" ? undefined : (json ?? text);
  expectMatchesOpenapi(method, path.slice("/v1".length).split("?")[0]!, status, body, headers["content-type"]);
}
