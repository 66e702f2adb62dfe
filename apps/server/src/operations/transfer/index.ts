import { exportWebsite } from "./export-website.ts";
import { importWebsite } from "./import-website.ts";

export const operations = {
  export_website: exportWebsite,
  import_website: importWebsite,
} as const;
