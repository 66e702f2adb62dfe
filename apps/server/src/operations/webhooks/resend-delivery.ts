import type { Delivery } from "#domain/webhook";
import { websiteOperation } from "../kernel/operation.ts";
import { deliveryId, findDelivery, findWebhook, requireOn } from "./helpers/webhook-view.ts";

/** Sends the same bytes again, signed afresh. One that waits already is left alone. */
export const resendDelivery = websiteOperation({
  name: "resend_delivery",
  summary: "Resend one webhook delivery.",
  permission: "webhook.manage",
  input: { deliveryId },
  async run(context, input): Promise<Delivery> {
    const { services, website, now } = context;
    const delivery = await findDelivery(context, input.deliveryId);
    requireOn(await findWebhook(context, delivery.webhookId));
    await services.webhooks.resend(website.id, delivery.id, now);
    await services.signals.tellHere({ topic: "event", id: website.id });
    return findDelivery(context, delivery.id);
  },
  changes: "nothing",
  activity: (_, __, { id, eventType, title }) => ({ target: { id, label: title ?? eventType } }),
});
