import { readWebsite } from "../lib/stet.ts";

export async function GET(): Promise<Response> {
  const { url } = await readWebsite();
  return new Response(`User-agent: *\nDisallow: /search\nDisallow: /preview\n${url ? `Sitemap: ${url}/sitemap.xml\n` : ""}`);
}
