import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Answer } from "./shared.ts";

/** One answer of the service, as the bare server is to send it. */
export async function record(
  port: number,
  target: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<Answer & { etag: string }> {
  const request = get({ port, host: "127.0.0.1", path: target, agent: false, headers: { Authorization: `Bearer ${key}`, ...headers } });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const body = (await buffer(response)).toString("base64");
  const own: string[] = [];
  for (let index = 0; index < response.rawHeaders.length; index += 2) {
    const name = response.rawHeaders[index]!;
    // node:http adds these by itself.
    if (!/^(date|connection|keep-alive)$/i.test(name)) own.push(name, response.rawHeaders[index + 1]!);
  }
  return { status: response.statusCode!, headers: own, body, etag: response.headers.etag ?? "" };
}

/** The answer that each key gets. */
export async function recordAll(port: number, target: string, keys: readonly string[]): Promise<[Answer, ...Answer[]]> {
  const [first, ...others] = keys;
  const answers: [Answer, ...Answer[]] = [await record(port, target, first!)];
  for (const key of others) answers.push(await record(port, target, key));
  return answers;
}

export const jsonOf = <T>({ body }: Answer): T => JSON.parse(Buffer.from(body, "base64").toString()) as T;

/** The bytes of a request, as a client library would send it. */
export function requestText(target: string, key: string, headers: Record<string, string> = {}): string {
  return [
    `GET ${target} HTTP/1.1`,
    "Host: 127.0.0.1",
    `Authorization: Bearer ${key}`,
    "Accept: application/json",
    "User-Agent: bench",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");
}
