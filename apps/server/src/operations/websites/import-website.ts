import { z } from "zod";
import { websiteOperation } from "../kernel/operation.ts";
import type { ImportResult } from "../transfer/report.ts";
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
    // Before and after: imported posts send no events, so whoever follows them must start anew, also when this is cut short.
    await events.beginHistory(context.website.id);
    const result = await runImport(context, source, onProgress);
    await events.beginHistory(context.website.id);
    return result;
  },
  activity: ({ website }, _, { imported, conflictCount }) => ({
    target: { id: website.id, label: website.name },
    details: { posts: imported.post, terms: imported.term, media: imported.media, conflicts: conflictCount },
  }),
});
