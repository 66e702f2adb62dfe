import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { RouteAnswer } from "#delivery/read-route";
import type { Encoding } from "./negotiate.ts";

/** An answer as ready bytes, in each encoding that was asked for. */
export interface Page {
  readonly contentType: string;
  /** The opaque part of the ETag, with its quotes: a hash of the answer. */
  readonly etag: string;
  readonly identity: Buffer;
  gzip: Buffer | null;
  br: Buffer | null;
  /** `Content-Length` of each, as text. */
  readonly lengths: Record<Encoding, string>;
  /** What it was made from; another number means that it may be old. */
  contentVersion: number;
  websiteVersion: number;
  /** When it was last known to be true, in milliseconds. */
  at: number;
}

/** Below, compressing costs more than it saves. */
const WORTH_COMPRESSING = 1_024;
const compressBr = promisify(brotliCompress);
const compressGzip = promisify(gzip);

export function makePage(content: RouteAnswer, from: { contentVersion: number; websiteVersion: number; at: number }): Page {
  const isJson = content.kind === "json";
  const identity = Buffer.from(isJson ? JSON.stringify(content.value) : content.text);
  const contentType = isJson ? "application/json" : content.contentType;
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

/** The encoding that an answer goes out in, when the client would take `wanted`. */
export const encodingFor = (page: Page, wanted: Encoding): Encoding => (page.identity.length > WORTH_COMPRESSING ? wanted : "identity");

/** The bytes, when they are ready. */
export const bytesIn = (page: Page, encoding: Encoding): Buffer | null => (encoding === "identity" ? page.identity : page[encoding]);

/** Compresses once, beside the thread that answers. */
export async function compress(page: Page, encoding: "gzip" | "br"): Promise<Buffer> {
  const bytes =
    encoding === "br"
      ? await compressBr(page.identity, {
          params: {
            [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
            // The best that costs no more time than gzip does.
            [constants.BROTLI_PARAM_QUALITY]: 5,
            [constants.BROTLI_PARAM_SIZE_HINT]: page.identity.length,
          },
        })
      : await compressGzip(page.identity);
  page[encoding] ??= bytes;
  page.lengths[encoding] = String(page[encoding].length);
  return page[encoding];
}

/** Strong for the bytes that were hashed; weak for the compressed ones, which say the same in other bytes (RFC 9110, 8.8.3.3). */
export const etagIn = (page: Page, encoding: Encoding): string => (encoding === "identity" ? page.etag : `W/${page.etag}`);

/** Room it takes, with what lies around the bytes. */
export const sizeOf = (page: Page): number => page.identity.length + (page.gzip?.length ?? 0) + (page.br?.length ?? 0) + 600;
