import { websiteOperation } from "../kernel/operation.ts";
import { findWebhook, webhookId, type WebhookView, webhookView } from "./helpers/webhook-view.ts";

export const deleteWebhook = websiteOperation({
  name: "delete_webhook",
  summary: "Delete a webhook endpoint and its deliveries.",
  permission: "webhook.manage",
  input: { webhookId },
  async run(context, input): Promise<WebhookView> {
    const webhook = await findWebhook(context, input.webhookId);
    await context.services.webhooks.delete(context.website.id, webhook.id);
    return webhookView(webhook, context.now);
  },
  changes: "nothing",
  activity: (_, __, { id, url }) => ({ target: { id, label: url } }),
});
