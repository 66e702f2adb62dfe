import { createClient, StetError } from "@stet/client";

const { STET_KEY: apiKey, STET_URL: url } = process.env;
if (!apiKey || !url) throw new Error("Set STET_URL and STET_KEY in .env: .env.example shows how.");

/** The address of Stet, which pages use to count views and to show previews. */
export const stetUrl: string = url.replace(/\/+$/, "");

export const stet = createClient({ apiKey, url });

/** One request for the whole build. */
const once = <Value>(read: () => Promise<Value>): (() => Promise<Value>) => {
  let value: Promise<Value> | null = null;
  return () => (value ??= read());
};

export const readWebsite = once(() => stet.website());

/** Every former slug of a post, so that old links work also after a build from nothing. */
export const readRedirects = once(() => Array.fromAsync(stet.redirects.all()));

/** Every former slug of a category, tag or author, and of those that were merged into it. */
export const readTermRedirects = once(async () => {
  const found: { kind: string; from: string; to: string }[] = [];
  for (const [kind, terms] of Object.entries({ category: stet.categories, tag: stet.tags, author: stet.authors })) {
    for await (const { slug, formerSlugs } of terms.all()) found.push(...formerSlugs.map((from) => ({ kind, from, to: slug })));
  }
  return found;
});

/** The files to pass on under the site's own address; none while the website has no public address, which they need. */
export const readFeeds = once(async () => {
  const { url: address } = await readWebsite();
  if (address === null) return [];
  try {
    return [
      { file: "feed.xml", text: await stet.feeds.rss() },
      { file: "feed.json", text: await stet.feeds.json() },
      { file: "sitemap.xml", text: await stet.feeds.sitemap() },
      { file: "llms.txt", text: await stet.feeds.llms() },
    ];
  } catch (error) {
    if (StetError.is(error) && error.status === 422) return [];
    throw error;
  }
});
