import { invalid } from "#domain/failure";
import type { Website } from "#domain/website";

/** Where the blog lives: feeds and sitemaps need whole addresses, so without it there is nothing right to answer. */
export function publicAddress({ settings }: Website): string {
  if (settings.publicUrl !== null) return settings.publicUrl;
  throw invalid([
    {
      field: "settings.publicUrl",
      message:
        "is not set. Feeds, the sitemap and llms.txt need the website's public address, such as https://example.com/blog. Add it in the website's settings",
    },
  ]);
}
