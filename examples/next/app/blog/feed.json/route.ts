import { passOn } from "@/lib/feed";
import { stet } from "@/lib/stet";

export const dynamic = "force-static";
export const revalidate = 3600;

export const GET = (): Promise<Response> => passOn(stet.feeds.json(), "application/feed+json");
