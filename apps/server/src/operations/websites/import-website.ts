import { z } from "zod";
import { Failure } from "#domain/failure";
import { type InWebsite, websiteOperation } from "../kernel/operation.ts";
import { writeDown } from "../kernel/write-down.ts";
import { type ImportResult, Report } from "../transfer/report.ts";
import { runImport } from "../transfer/run-import.ts";

const isAsyncIterable = (value: unknown): boolean => typeof value === "object" && value !== null && Symbol.asyncIterator in value;

/** Adds what the website lacks and changes nothing that it has. Ids are kept, so that addresses and references hold. */
export const importWebsite = websiteOperation({
  name: "import_website",
  summary: "Import an export into a website. What exists already is never overwritten.",
  permission: "website.import",
  input: {
    /** The text of the file, in pieces of any size. */
    source: z.custom<AsyncIterable<string>>(isAsyncIterable, { error: "must be a stream of text" }),
    onProgress: z.custom<(lines: number) => void>((value) => typeof value === "function", { error: "must be a function" }).optional(),
  },
  async run(context, { source, onProgress = () => {} }): Promise<ImportResult> {
    const { events } = context.services.platform;
    const report = new Report();
    // Before and after: imported posts send no events, so whoever follows them must start anew, also when this is cut short.
    await events.beginHistory(context.website.id);
    try {
      await runImport(context, source, report, onProgress);
    } catch (error) {
      // What was imported until then stays, so it is written down as if it had been all.
      if (report.hasChanged) {
        await events.beginHistory(context.website.id);
        const { target, details } = lineOf(context, report.result());
        await writeDown(context, importWebsite.name, { target, details: { ...details, stopped: whyStopped(error) } });
      }
      throw error;
    }
    await events.beginHistory(context.website.id);
    return report.result();
  },
  activity: (context, _, result) => lineOf(context, result),
});

const lineOf = ({ website }: InWebsite, { imported, conflictCount }: ImportResult) => ({
  target: { id: website.id, label: website.name },
  details: { posts: imported.post, terms: imported.term, media: imported.media, conflicts: conflictCount },
});

function whyStopped(error: unknown): string {
  if (error instanceof Failure) return error.message;
  const isCutOff = error instanceof Error && (error as NodeJS.ErrnoException).code === "ECONNRESET";
  return isCutOff ? "The connection ended before the file did." : "Something failed on the way.";
}
