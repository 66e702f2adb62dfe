import { z } from "zod";
import { Failure } from "#domain/failure";
import { whileAllowed } from "#domain/while-allowed";
import { atWebsite } from "../kernel/execute.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { startImportLine } from "./helpers/import-line.ts";
import { type ImportResult, Report } from "./helpers/report.ts";
import { runImport } from "./helpers/run-import.ts";

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
    const { clock, platform } = context.services;
    const { events } = platform;
    const { id } = context.website;
    const report = new Report();
    const line = await startImportLine(context, importWebsite.name, report);
    try {
      // Before and after: imported posts send no events, so clients that follow them must start again, also when this is cut short.
      await events.beginHistory(id);
      const allowed = whileAllowed(source, clock, () => atWebsite(context, id, "website.import"));
      await runImport(context, allowed, report, onProgress);
      await events.beginHistory(id);
      await line.write();
    } catch (error) {
      // The records imported until then stay, so the import is logged as if they had been all.
      if (report.hasChanged) {
        await events.beginHistory(id);
        await line.write({ stopped: whyStopped(error) });
      }
      throw error;
    } finally {
      await line.end();
    }
    return report.result();
  },
  changes: "access",
  // Written above, where it is also seen to that it is written when the process dies.
  activity: () => null,
});

function whyStopped(error: unknown): string {
  if (error instanceof Failure) return error.message;
  const isCutOff = error instanceof Error && (error as NodeJS.ErrnoException).code === "ECONNRESET";
  return isCutOff ? "The connection ended before the file did." : "Something failed on the way.";
}
