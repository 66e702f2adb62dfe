import { type DeliveryId, newId } from "#domain/ids";
import { millis } from "#domain/time";
import { testBody } from "#domain/webhook-body";
import { websiteOperation } from "../kernel/operation.ts";
import { findWebhook, requireOn, webhookId, type WebhookView, webhookView } from "./helpers/webhook-view.ts";

/** It is sent as everything is, by a worker, but at once and only once: the delivery shows what came of it. */
export const testWebhook = websiteOperation({
  name: "test_webhook",
  summary: "Send a test event to a webhook endpoint. Returns the delivery.",
  permission: "webhook.manage",
  input: { webhookId },
  async run(context, input): Promise<{ webhook: WebhookView; deliveryId: DeliveryId }> {
    const { services, website, by, now } = context;
    const webhook = await findWebhook(context, input.webhookId);
    requireOn(webhook);
    const event = { id: newId("event", millis(now)), at: now, actor: by };
    const deliveryId = newId("delivery", millis(now));
    await services.webhooks.addTest(webhook, deliveryId, event, testBody(event, website));
    await services.signals.tellHere({ topic: "event", id: website.id });
    return { webhook: webhookView(webhook, now), deliveryId };
  },
  changes: "nothing",
  activity: (_, __, { webhook, deliveryId }) => ({ target: { id: webhook.id, label: webhook.url }, details: { deliveryId } }),
});
