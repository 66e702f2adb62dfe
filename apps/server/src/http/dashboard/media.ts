import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { LRUCache } from "lru-cache";
import type { OpenedFile } from "#delivery/media-file";
import type { MediaFiles } from "#delivery/remembered-files";
import { fail, notFound } from "#domain/failure";
import { inPool } from "#domain/pool";
import { headerOf } from "../shared/header-of.ts";
import { matchesEtag } from "../shared/negotiate.ts";
import type { Handler } from "../dispatcher.ts";
import { variantInQuery } from "./variant-query.ts";

export const MEDIA_PATH = "/media";

/** Uploaded by people: a browser must take it as the image it is and run nothing of it. Websites elsewhere show it. */
const HEADERS = Object.entries({
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "sandbox; default-src 'none'",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Access-Control-Allow-Origin": "*",
  "Accept-Ranges": "bytes",
}).flat();

const FOR_EVER = "public, max-age=31536000, immutable";
const FOR_A_MOMENT = "public, max-age=60";

/** `GET /media/{websiteId}/{file}?w=&ar=&fm=`: images and their variants, for everyone who has the address. */
export function createMedia(files: MediaFiles): Handler {
  const variantOf = rememberedVariants();
  const headersOfHot = rememberedHeaders();
  return (request, response, { path, requestId }) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      throw fail("METHOD_NOT_ALLOWED", "Images can only be read here.", { allow: "GET, HEAD" });
    }
    const [websiteId = "", fileName = "", ...rest] = path.slice(MEDIA_PATH.length + 1).split("/");
    const variant = variantOf(request.url!.slice(path.length + 1));
    if (rest.length > 0) throw notFound("image");
    const hot = files.inMemory(websiteId, fileName, variant);
    if (hot?.bytes && isForAll(request)) {
      response.writeHead(200, headersOfHot(requestId, hot));
      response.end(hot.bytes);
      return;
    }
    // Readers wait for it, and must not wait for writers.
    return inPool("reads", () => send(request, response, requestId, () => files.find(websiteId, fileName, variant)));
  };
}

/** The same few queries come again and again. What is refused is not kept: anybody can make that up. */
function rememberedVariants(): typeof variantInQuery {
  const known = new LRUCache<string, { readonly variant: ReturnType<typeof variantInQuery> }>({ max: 1_000 });
  return (text) => {
    const found = known.get(text);
    if (found) return found.variant;
    const variant = variantInQuery(text);
    if (text.length <= 50) known.set(text, { variant });
    return variant;
  };
}

/** Made once for each file in memory, and gone with it. */
function rememberedHeaders(): (requestId: string, file: OpenedFile) => string[] {
  const known = new WeakMap<OpenedFile, string[]>();
  return (requestId, file) => {
    let headers = known.get(file);
    if (!headers) {
      headers = [...headersOf(requestId, file), "Content-Type", file.contentType, "Content-Length", String(file.size)];
      known.set(file, headers);
    }
    // The id stands second.
    return headers.with(1, requestId);
  };
}

/** It asks for the whole file, whatever its own memory holds. */
const isForAll = (request: IncomingMessage): boolean =>
  request.method === "GET" && headerOf(request, "if-none-match") === undefined && headerOf(request, "range") === undefined;

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  find: () => ReturnType<MediaFiles["find"]>,
): Promise<void> {
  const found = await find();
  if (!found) throw notFound("image");
  if (matchesEtag(request.headers["if-none-match"] ?? "", found.etag)) {
    response.writeHead(304, headersOf(requestId, found));
    response.end();
    return;
  }
  const opened = await found.open();
  if (!opened) throw notFound("image");
  const { size, etag } = opened;
  const ifRange = request.headers["if-range"];
  const range = ifRange === undefined || ifRange === etag ? rangeOf(request.headers.range, size) : null;
  if (range === "beyond") {
    response.writeHead(416, ["X-Request-Id", requestId, ...HEADERS, "Content-Range", `bytes */${size}`, "Content-Length", "0"]);
    response.end();
    return;
  }
  const { from, to } = range ?? { from: 0, to: size - 1 };
  const headers = [...headersOf(requestId, opened), "Content-Type", opened.contentType, "Content-Length", String(to - from + 1)];
  if (range) headers.push("Content-Range", `bytes ${from}-${to}/${size}`);
  response.writeHead(range ? 206 : 200, headers);
  if (request.method === "HEAD") response.end();
  else if (opened.bytes) response.end(opened.bytes.subarray(from, to + 1));
  // Read as it is taken: many who take a large image slowly, or not at all, must not fill the memory.
  else await pipeline(opened.read(from, to), response).catch(unlessLeft);
}

/** As node:http takes them fastest: name, value, name, value. */
const headersOf = (requestId: string, { etag, isFinal }: { readonly etag: string; readonly isFinal: boolean }): string[] => [
  "X-Request-Id",
  requestId,
  ...HEADERS,
  "ETag",
  etag,
  "Cache-Control",
  isFinal ? FOR_EVER : FOR_A_MOMENT,
];

/** A person who closed the page wants no more of it; any other error is ours. */
function unlessLeft(error: NodeJS.ErrnoException): void {
  if (error.code !== "ERR_STREAM_PREMATURE_CLOSE") throw error;
}

/** One range (RFC 9110, 14.2). Null: none, or several, or not to be understood, which all mean the whole. */
function rangeOf(header: string | undefined, size: number): { from: number; to: number } | "beyond" | null {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return null;
  const from = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === "" || last === "" ? size - 1 : Math.min(Number(last), size - 1);
  if (first !== "" && last !== "" && Number(last) < from) return null;
  return from >= size || (first === "" && Number(last) === 0) ? "beyond" : { from, to };
}
