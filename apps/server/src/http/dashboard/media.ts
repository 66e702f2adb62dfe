import { pipeline } from "node:stream/promises";
import type { FindMediaFile } from "#delivery/media-file";
import { fail, notFound } from "#domain/failure";
import { matchesEtag } from "../shared/negotiate.ts";
import type { Handler } from "../dispatcher.ts";

export const MEDIA_PATH = "/media";

/** Uploaded by people: a browser must take it as the image it is and run nothing of it. Websites elsewhere show it. */
const HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "sandbox; default-src 'none'",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Access-Control-Allow-Origin": "*",
  "Accept-Ranges": "bytes",
} as const;

/**
 * The bytes of an id never change, except once: files from before metadata was stripped are replaced by stripped ones, which have another
 * ETag. Until then caches keep them only for a moment. See decision 0029.
 */
const FOR_EVER = "public, max-age=31536000, immutable";
const UNTIL_STRIPPED = "public, max-age=60";

/** `GET /media/{websiteId}/{file}`: images of the built-in store, for everyone who has the address. */
export function createMedia(findMediaFile: FindMediaFile): Handler {
  return async (request, response, { path }) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      throw fail("METHOD_NOT_ALLOWED", "Images can only be read here.", { allow: "GET, HEAD" });
    }
    const [websiteId = "", fileName = "", ...rest] = path.slice(MEDIA_PATH.length + 1).split("/");
    const found = rest.length > 0 ? null : await findMediaFile(websiteId, fileName);
    if (!found) throw notFound("image");
    const isFinal = found.media.metadata !== "unchecked";
    const etag = isFinal ? `"${found.media.id}.1"` : `"${found.media.id}"`;
    const headers = { ...HEADERS, ETag: etag, "Cache-Control": isFinal ? FOR_EVER : UNTIL_STRIPPED };
    if (matchesEtag(request.headers["if-none-match"] ?? "", etag)) {
      response.writeHead(304, headers);
      response.end();
      return;
    }
    const size = await found.size();
    if (!size) throw notFound("image");
    const ifRange = request.headers["if-range"];
    const range = ifRange === undefined || ifRange === etag ? rangeOf(request.headers.range, size) : null;
    if (range === "beyond") {
      response.writeHead(416, { ...HEADERS, "Content-Range": `bytes */${size}`, "Content-Length": 0 });
      response.end();
      return;
    }
    const { from, to } = range ?? { from: 0, to: size - 1 };
    response.writeHead(range ? 206 : 200, {
      ...headers,
      "Content-Type": found.media.contentType,
      "Content-Length": to - from + 1,
      ...(range && { "Content-Range": `bytes ${from}-${to}/${size}` }),
    });
    if (request.method === "HEAD") response.end();
    // Read as it is taken: many who take a large image slowly, or not at all, must not fill the memory.
    else await pipeline(found.read(from, to), response).catch(unlessLeft);
  };
}

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
