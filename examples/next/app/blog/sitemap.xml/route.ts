import { passOn } from "@/lib/feed";
import { stet } from "@/lib/stet";

/** With more than 50,000 posts the sitemap is a list of files, which are the same address with a cursor. */
export const GET = (request: Request): Promise<Response> => {
  const cursor = new URL(request.url).searchParams.get("cursor");
  return passOn(stet.feeds.sitemap(cursor ? { cursor } : {}), "application/xml");
};
