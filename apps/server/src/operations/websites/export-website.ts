import { websiteOperation } from "../kernel/operation.ts";
import { writeExport } from "../transfer/write-export.ts";

export interface WebsiteExport {
  readonly filename: string;
  readonly contentType: "application/x-ndjson";
  /** Made as fast as it is taken; each line with its line break. */
  readonly lines: AsyncIterable<string>;
}

export const exportWebsite = websiteOperation({
  name: "export_website",
  summary: "Export everything a website holds as newline-delimited JSON: drafts, revisions and images included.",
  permission: "website.export",
  input: {},
  run: async (context): Promise<WebsiteExport> => ({
    filename: `${context.website.id}-${context.now.slice(0, 10)}.ndjson`,
    contentType: "application/x-ndjson",
    lines: writeExport(context),
  }),
  activity: ({ website }) => ({ target: { id: website.id, label: website.name } }),
});
