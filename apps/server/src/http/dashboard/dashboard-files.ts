import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** A file of the built dashboard, as it is sent. */
export interface DashboardFile {
  readonly contentType: string;
  readonly bytes: Buffer;
  /** With its quotes. */
  readonly etag: string;
  /** Its name holds a hash of its content: it never changes. */
  readonly isImmutable: boolean;
  /** Compressed once, when first asked for; null where it does not help. */
  readonly compressed: ((encoding: "br" | "gzip") => Promise<Buffer>) | null;
}

export interface DashboardFiles {
  /** The page, with the place for its nonce; null when nothing was built. */
  readonly index: string | null;
  /** By path, such as `/assets/index-B7Y0.js`. Only these are ever sent: no path of a request reaches the disk. */
  readonly files: ReadonlyMap<string, DashboardFile>;
}

const TYPES: Readonly<Record<string, { type: string; isText: boolean }>> = {
  ".js": { type: "text/javascript; charset=utf-8", isText: true },
  ".css": { type: "text/css; charset=utf-8", isText: true },
  ".svg": { type: "image/svg+xml", isText: true },
  ".json": { type: "application/json", isText: true },
  ".webmanifest": { type: "application/manifest+json", isText: true },
  ".txt": { type: "text/plain; charset=utf-8", isText: true },
  ".png": { type: "image/png", isText: false },
  ".webp": { type: "image/webp", isText: false },
  ".ico": { type: "image/x-icon", isText: false },
  ".woff2": { type: "font/woff2", isText: false },
};

/** Below this, compressing costs more than it saves. */
const WORTH_BYTES = 1024;

/** Reads the built dashboard into memory: a build that replaces the folder later does not touch what is being served. */
export function loadDashboard(folder: string): DashboardFiles {
  const files = new Map<string, DashboardFile>();
  let index: string | null = null;
  for (const name of namesIn(folder)) {
    const bytes = readFileSync(path.join(folder, name));
    if (name === "index.html") index = bytes.toString("utf8");
    const known = TYPES[path.extname(name)];
    if (!known) continue;
    const isWorth = known.isText && bytes.length >= WORTH_BYTES;
    files.set(`/${name}`, {
      contentType: known.type,
      bytes,
      etag: `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`,
      isImmutable: name.startsWith("assets/"),
      compressed: isWorth ? compressor(bytes) : null,
    });
  }
  return { index, files };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
      .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
  } catch {
    // Nothing was built.
    return [];
  }
}

function compressor(bytes: Buffer): (encoding: "br" | "gzip") => Promise<Buffer> {
  const made: { br?: Promise<Buffer>; gzip?: Promise<Buffer> } = {};
  return (encoding) =>
    (made[encoding] ??=
      encoding === "br"
        ? promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } })
        : promisify(gzip)(bytes, { level: 9 }));
}
