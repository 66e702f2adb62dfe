import { pipeline } from "node:stream/promises";
import type { FindMediaFile } from "#delivery/media-file";
import { fail, notFound } from "#domain/failure";
import { matchesEtag } from "../shared/negotiate.ts";
import type { Handler } from "../dispatcher.ts";
import { variantInQuery } from "./variant-query.ts";

export const MEDIA_PATH = "/media";

/** Uploaded by people: a browser must take it as the image it is and run nothing of it. Websites elsewhere show it. */
const HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "sandbox; default-src 'none'",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Access-Control-Allow-Origin": "*",
  "Accept-Ranges": "bytes",
} as const;

const FOR_EVER = "public, max-age=31536000, immutable";
const FOR_A_MOMENT = "public, max-age=60";

/** `GET /media/{websiteId}/{file}?w=&ar=&fm=`: images and their variants, for everyone who has the address. */
export function createMedia(findMediaFile: FindMediaFile): Handler {
  return async (request, response, { path }) => {
    if (request.method !== "GET" && request.method !== "HEAD") {
      throw fail("METHOD_NOT_ALLOWED", "Images can only be read here.", { allow: "GET, HEAD" });
    }
    const [websiteId = "", fileName = "", ...rest] = path.slice(MEDIA_PATH.length + 1).split("/");
    const variant = variantInQuery(new URLSearchParams(/\?(.*)$/s.exec(request.url ?? "")?.[1]));
    const found = rest.length > 0 ? null : await findMediaFile(websiteId, fileName, variant);
    if (!found) throw notFound("image");
    if (matchesEtag(request.headers["if-none-match"] ?? "", found.etag)) {
      response.writeHead(304, headersOf(found));
      response.end();
      return;
    }
    const opened = await found.open();
    if (!opened) throw notFound("image");
    const { size, etag } = opened;
    const ifRange = request.headers["if-range"];
    const range = ifRange === undefined || ifRange === etag ? rangeOf(request.headers.range, size) : null;
    if (range === "beyond") {
      response.writeHead(416, { ...HEADERS, "Content-Range": `bytes */${size}`, "Content-Length": 0 });
      response.end();
      return;
    }
    const { from, to } = range ?? { from: 0, to: size - 1 };
    response.writeHead(range ? 206 : 200, {
      ...headersOf(opened),
      "Content-Type": opened.contentType,
      "Content-Length": to - from + 1,
      ...(range && { "Content-Range": `bytes ${from}-${to}/${size}` }),
    });
    if (request.method === "HEAD") response.end();
    // Read as it is taken: many who take a large image slowly, or not at all, must not fill the memory.
    else await pipeline(opened.read(from, to), response).catch(unlessLeft);
  };
}

const headersOf = ({ etag, isFinal }: { readonly etag: string; readonly isFinal: boolean }) => ({
  ...HEADERS,
  ETag: etag,
  "Cache-Control": isFinal ? FOR_EVER : FOR_A_MOMENT,
});

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
