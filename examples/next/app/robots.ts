import type { MetadataRoute } from "next";
import { findWebsite } from "@/lib/stet";

export default async function robots(): Promise<MetadataRoute.Robots> {
  const { url } = await findWebsite();
  return { rules: { userAgent: "*", disallow: ["/search", "/preview"] }, ...(url && { sitemap: `${url}/sitemap.xml` }) };
}
