import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { RouteAnswer } from "#delivery/read-route";
import { ownBytes, ownText } from "#domain/own-bytes";
import type { Encoding } from "./negotiate.ts";

/** An answer as ready bytes, in each encoding that was asked for. */
export interface CachedResponse {
  readonly contentType: string;
  /** The opaque part of the ETag, with its quotes: a hash of the answer. */
  readonly etag: string;
  readonly identity: Buffer;
  gzip: Buffer | null;
  br: Buffer | null;
  /** `Content-Length` of each, as text. */
  readonly lengths: Record<Encoding, string>;
  /** The versions it was made from; another number means that it may be old. */
  contentVersion: number;
  websiteVersion: number;
  storeEpoch: number;
  /** When it was last known to be true, in milliseconds. */
  at: number;
}

/** Below, compressing costs more than it saves. */
const WORTH_COMPRESSING = 1_024;
const compressBr = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export function makeCachedResponse(
  answer: RouteAnswer,
  from: Pick<CachedResponse, "contentVersion" | "websiteVersion" | "storeEpoch" | "at">,
): CachedResponse {
  const identity = bytesOf(answer);
  const contentType = answer.kind === "text" ? answer.contentType : "application/json";
  return {
    contentType,
    // The type is part of it: JSON and Markdown of one post are different answers.
    etag: `"${hash("sha256", `${contentType}\n${hash("sha256", identity, "hex")}`, "base64url").slice(0, 27)}"`,
    identity,
    gzip: null,
    br: null,
    lengths: { identity: String(identity.length), gzip: "", br: "" },
    ...from,
  };
}

const COMMA = Buffer.from(",");

/** In memory of their own. */
export function bytesOf(answer: RouteAnswer): Buffer {
  if (answer.kind === "text") return ownText(answer.text);
  if (answer.kind === "json") return ownText(JSON.stringify(answer.value));
  const items = answer.data.flatMap((item, index) => (index === 0 ? [item] : [COMMA, item]));
  return ownBytes(Buffer.from('{"data":['), ...items, Buffer.from(`],${JSON.stringify(answer.rest).slice(1)}`));
}

/** The encoding that an answer goes out in, when the client would take `wanted`. */
export const encodingFor = (cached: CachedResponse, wanted: Encoding): Encoding =>
  cached.identity.length > WORTH_COMPRESSING ? wanted : "identity";

/** The bytes, when they are ready. */
export const bytesIn = (cached: CachedResponse, encoding: Encoding): Buffer | null =>
  encoding === "identity" ? cached.identity : cached[encoding];

/** Compresses once, beside the thread that answers. */
export async function compress(cached: CachedResponse, encoding: "gzip" | "br"): Promise<Buffer> {
  const bytes =
    encoding === "br"
      ? await compressBr(cached.identity, {
          params: {
            [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
            // The best that costs no more time than gzip does.
            [constants.BROTLI_PARAM_QUALITY]: 5,
            [constants.BROTLI_PARAM_SIZE_HINT]: cached.identity.length,
          },
        })
      : await compressGzip(cached.identity);
  cached[encoding] ??= ownBytes(bytes);
  cached.lengths[encoding] = String(cached[encoding].length);
  return cached[encoding];
}

/** Strong for the bytes that were hashed; weak for the compressed ones, which say the same in other bytes (RFC 9110, 8.8.3.3). */
export const etagIn = (cached: CachedResponse, encoding: Encoding): string => (encoding === "identity" ? cached.etag : `W/${cached.etag}`);

/** Room it takes, with what lies around the bytes. */
export const sizeOf = (cached: CachedResponse): number =>
  cached.identity.length + (cached.gzip?.length ?? 0) + (cached.br?.length ?? 0) + 600;
