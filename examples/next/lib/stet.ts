import { createClient, StetError } from "@stet/client";
import { findPostOrPreview } from "@stet/client/next";
import { cookies, draftMode } from "next/headers";
import { cache } from "react";

const apiKey = process.env.STET_KEY;
const url = process.env.STET_URL;
if (!apiKey || !url) throw new Error("Set STET_URL and STET_KEY in .env: .env.example shows how.");

/** The address of Stet, which pages use to count views. */
export const stetUrl: string = url;

/** Tags what it reads, so that a webhook updates the pages that show it. */
export const stet = createClient({ apiKey, url, nextTags: true });

/** The layout shows the website's settings on every page. Tagged like lists, one published post would make every page again. */
const settings = createClient({ apiKey, url });
export const findWebsite = cache(() => settings.website({ fetchOptions: { next: { revalidate: 3600, tags: ["stet"] } } }));

/** For `alternates` of a page's metadata, which replace those of the layout: its one address, and the feeds. */
export async function alternatesOf(canonical: string | null) {
  const { url: blog } = await findWebsite();
  return {
    ...(canonical && { canonical }),
    ...(blog && { types: { "application/rss+xml": `${blog}/feed.xml`, "application/feed+json": `${blog}/feed.json` } }),
  };
}

/** The metadata of a page that is not there. In the browser they win over those of `not-found.tsx`. */
export const NOT_FOUND = { title: "Page not found", robots: { index: false } };

/** The published post, or the draft for those who opened its preview. Once per request, for metadata and page. */
export const findPost = cache((slug: string) => findPostOrPreview(stet, slug, { draftMode, cookies }));

export const POSTS_PER_PAGE = 10;

/** What is asked for with a value from the address: a value that Stet refuses leads nowhere. */
export async function nullIfRefused<Value>(answer: Promise<Value>): Promise<Value | null> {
  try {
    return await answer;
  } catch (error) {
    if (StetError.is(error) && (error.status === 400 || error.status === 404)) return null;
    throw error;
  }
}
