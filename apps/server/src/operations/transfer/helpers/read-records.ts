import { createHash } from "node:crypto";
import type { z } from "zod";
import { fail } from "#domain/failure";
import type { WebsiteId } from "#domain/ids";
import { toLocal, toService } from "#domain/media-address";
import { readLines } from "./read-lines.ts";
import { type ContentRecord, FORMAT, noCounts } from "./records.ts";
import { endLine, fileLine, manifestLine, mediaLine, postLine, revisionLine, termLine } from "./schemas.ts";

const LINES = {
  manifest: manifestLine,
  term: termLine,
  media: mediaLine,
  file: fileLine,
  post: postLine,
  revision: revisionLine,
  end: endLine,
} as const;
type LineType = keyof typeof LINES;

/** The address of a service, and below it that of the images of a website. */
const MEDIA_BASE = /^(https?:\/\/.+)\/media\/[^/]+$/;

export interface Numbered<Record> {
  readonly line: number;
  readonly record: Record;
}

/**
 * The records of an export, each checked, with the addresses of its images made this website's. The manifest comes
 * first; when the iteration ends without a failure, the file was whole and unchanged.
 */
export async function* readRecords(
  source: AsyncIterable<string>,
  here: { readonly websiteId: WebsiteId; readonly publicUrl: string },
): AsyncGenerator<Numbered<z.infer<typeof manifestLine>> | Numbered<ContentRecord>> {
  const hash = createHash("sha256");
  const counts = noCounts();
  /** The address of the service that wrote the file. */
  let writtenAt: string | undefined;
  let ended = false;
  let last = 0;
  for await (const { number: line, text } of readLines(source)) {
    last = line;
    if (line === 1 && !isManifest(text)) throw noExport();
    if (text.trim() === "") throw bad(line, "is empty. An export has no empty lines.");
    if (ended) throw bad(line, "comes after the end of the export. Import one file at a time.");
    const arrived = writtenAt === undefined ? text : toService(text, writtenAt, here.publicUrl);
    const parsed = parseLine(line, toLocal(arrived, here.websiteId));
    if (parsed.type === "manifest") {
      if (line !== 1) throw bad(line, "is a second manifest. Import one file at a time.");
      if (parsed.format !== FORMAT) {
        throw bad(
          1,
          `says format ${parsed.format}, and this version reads format ${FORMAT}. Import it with the version that wrote it, or a newer one.`,
        );
      }
      writtenAt = MEDIA_BASE.exec(parsed.mediaBase)?.[1];
      yield { line, record: parsed };
    } else if (parsed.type === "end") {
      ended = true;
      const isWhole = Object.entries(parsed.counts).every(([type, count]) => counts[type as keyof typeof counts] === count);
      if (!isWhole || parsed.sha256 !== hash.digest("hex")) {
        throw bad(
          line,
          "does not match the lines before it: the file was damaged or edited. Everything before it was imported. Export again to be sure.",
        );
      }
      continue;
    } else {
      counts[parsed.type] += 1;
      yield { line, record: parsed };
    }
    hash.update(text).update("\n");
  }
  if (last === 0) throw noExport();
  if (!ended) {
    throw fail(
      "VALIDATION_FAILED",
      `The file ends after line ${last} without the closing line of an export: it is incomplete. Its content was imported; import the complete file for the rest.`,
      { line: last },
    );
  }
}

function parseLine(line: number, text: string): z.infer<(typeof LINES)[LineType]> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw bad(line, "is not JSON. The file was damaged, edited or cut off there.");
  }
  const type = typeof json === "object" && json !== null && Object.hasOwn(json, "type") ? (json as { type: unknown }).type : undefined;
  if (typeof type !== "string" || !Object.hasOwn(LINES, type)) throw bad(line, "has an unknown type.");
  const parsed = LINES[type as LineType].safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw bad(line, `cannot be imported: ${[type, ...(issue?.path ?? [])].join(".")} ${issue?.message ?? "is not valid"}.`);
}

function isManifest(text: string): boolean {
  try {
    return (JSON.parse(text) as { type?: unknown } | null)?.type === "manifest";
  } catch {
    return false;
  }
}

/** Most likely another file was chosen, so nothing is said of lines. */
const noExport = () =>
  fail(
    "VALIDATION_FAILED",
    "This is not a Stet export. Choose a file downloaded under Import and export, or written by stet export; its name ends in .ndjson.",
    { line: 1 },
  );

export function bad(line: number, what: string) {
  return fail("VALIDATION_FAILED", `Line ${line} ${what}`, { line });
}
