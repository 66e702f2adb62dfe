import { createWebhookHandler } from "@stet/client/next";
import { revalidateTag } from "next/cache";

/** The address of this route is a webhook endpoint in Stet: pages show a change with the next request. */
export const POST = createWebhookHandler({ secret: process.env.STET_WEBHOOK_SECRET, revalidateTag });
