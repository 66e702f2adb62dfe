import { websiteOperation } from "../kernel/operation.ts";
import { findWebhook, requireOn, webhookId, type WebhookView, webhookView } from "./helpers/webhook-view.ts";

export const pauseWebhook = websiteOperation({
  name: "pause_webhook",
  summary: "Pause a webhook endpoint; events are kept as missed.",
  permission: "webhook.manage",
  input: { webhookId },
  async run(context, input): Promise<WebhookView> {
    const webhook = await findWebhook(context, input.webhookId);
    if (webhook.status !== "paused") {
      requireOn(webhook);
      await context.services.webhooks.pause(context.website.id, webhook.id);
    }
    return webhookView({ ...webhook, status: "paused" }, context.now);
  },
  changes: "nothing",
  activity: (_, __, { id, url }) => ({ target: { id, label: url } }),
});
