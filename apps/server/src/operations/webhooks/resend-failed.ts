import { moment } from "../kernel/inputs.ts";
import { websiteOperation } from "../kernel/operation.ts";
import { findWebhook, requireOn, webhookId, type WebhookView, webhookView } from "./helpers/webhook-view.ts";

export const resendFailed = websiteOperation({
  name: "resend_failed",
  summary: "Resend every delivery of a webhook endpoint that failed or was missed since a given time.",
  permission: "webhook.manage",
  input: { webhookId, since: moment },
  async run(context, input): Promise<{ webhook: WebhookView; resent: number }> {
    const { services, website, now } = context;
    const webhook = await findWebhook(context, input.webhookId);
    requireOn(webhook);
    const resent = await services.webhooks.resendFailed(website.id, webhook.id, input.since, now);
    await services.signals.tellHere({ topic: "event", id: website.id });
    return { webhook: webhookView(webhook, now), resent };
  },
  changes: "nothing",
  activity: (_, { since }, { webhook, resent }) => ({ target: { id: webhook.id, label: webhook.url }, details: { since, resent } }),
});
