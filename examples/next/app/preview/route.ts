import { createPreviewHandler } from "@stet/client/next";
import { draftMode } from "next/headers";
import { stet } from "@/lib/stet";

const open = createPreviewHandler({ client: stet, draftMode });

/** *Website settings → Preview address* is the address of this route. A link that has expired leads to a page that says so. */
export async function GET(request: Request): Promise<Response> {
  const response = await open(request);
  if (response.status !== 404) return response;
  return new Response(null, { status: 307, headers: { ...Object.fromEntries(response.headers), Location: "/preview/expired" } });
}
