import { whileAllowed } from "#domain/while-allowed";
import { atWebsite } from "../kernel/execute.ts";
import { streamedIn } from "../kernel/in-website.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { writeExport } from "./helpers/write-export.ts";

export interface WebsiteExport {
  readonly filename: string;
  readonly contentType: "application/x-ndjson";
  /** Made as fast as it is taken; each line with its line break. */
  readonly lines: AsyncIterable<string>;
}

/** The website's name as every file system takes it: without what separates folders, and without what Windows reserves. */
function fileNameOf({ id, name }: { id: string; name: string }): string {
  // oxlint-disable-next-line no-control-regex -- these are the characters to be kept out.
  const safe = name.replaceAll(/[\u0000-\u001f\u007f<>:"/\\|?*]+/g, " ").replaceAll(/\s+/g, " ");
  return safe.replaceAll(/^[ .]+|[ .]+$/g, "") || id;
}

export const exportWebsite = websiteOperation({
  name: "export_website",
  summary: "Export everything a website holds as newline-delimited JSON: drafts, revisions and images included.",
  permission: "website.export",
  input: {},
  run: async (context): Promise<WebsiteExport> => ({
    filename: `${fileNameOf(context.website)} ${context.now.slice(0, 10)}.ndjson`,
    contentType: "application/x-ndjson",
    lines: whileAllowed(streamedIn(context, writeExport), context.services.clock, () =>
      atWebsite(context, context.website.id, "website.export"),
    ),
  }),
  changes: "nothing",
  activity: ({ website }) => ({ target: { id: website.id, label: website.name } }),
});
