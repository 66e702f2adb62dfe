import { EVENT_TYPES } from "@stet/contract";
import { z } from "zod";
import { decodeCursor, encodeCursor } from "#domain/cursor";
import type { PostId } from "#domain/ids";
import { DELIVERY_STATUSES, type DeliveryHead } from "#domain/webhook";
import { TEST_EVENT } from "@stet/contract";
import { idOf, websiteOperation } from "../kernel/operation.ts";
import { cursorShape, limitShape, type ListAnswer } from "../kernel/paging.ts";
import { findWebhook, webhookId } from "./helpers/webhook-view.ts";

const SORT = "-createdAt";

export const listDeliveries = websiteOperation({
  name: "list_deliveries",
  summary: "List what was sent to the webhook endpoints of a website, newest first.",
  permission: "webhook.read",
  input: {
    webhookId: webhookId.optional(),
    status: z.enum(DELIVERY_STATUSES).optional(),
    eventType: z.enum([...EVENT_TYPES, TEST_EVENT]).optional(),
    postId: idOf<PostId>("post").optional(),
    /** Part of the title the post had then. */
    title: z.string().trim().max(300).optional(),
    ...cursorShape,
    ...limitShape,
  },
  async run(context, input): Promise<ListAnswer<DeliveryHead>> {
    if (input.webhookId) await findWebhook(context, input.webhookId);
    const page = await context.services.webhooks.listDeliveries(context.website.id, {
      limit: input.limit,
      after: input.cursor ? decodeCursor(input.cursor, SORT) : null,
      ...(input.webhookId && { webhookId: input.webhookId }),
      ...(input.status && { status: input.status }),
      ...(input.eventType && { eventType: input.eventType }),
      ...(input.postId && { postId: input.postId }),
      ...(input.title && { titleContains: input.title }),
    });
    return { items: page.rows, nextCursor: page.next && encodeCursor(SORT, page.next) };
  },
  activity: "none",
});
