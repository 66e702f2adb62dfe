import { seedWebsite } from "./seed-website.ts";

export const operations = { seed_website: seedWebsite } as const;
