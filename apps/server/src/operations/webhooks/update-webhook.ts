import { websiteOperation } from "../kernel/operation.ts";
import {
  debounceInput,
  eventsInput,
  findWebhook,
  requireTarget,
  urlInput,
  webhookId,
  type WebhookView,
  webhookView,
} from "./webhook-view.ts";

export const updateWebhook = websiteOperation({
  name: "update_webhook",
  summary: "Change the address, the events or the debounce time of a webhook endpoint.",
  permission: "webhook.manage",
  input: { webhookId, url: urlInput.optional(), events: eventsInput.optional(), debounceSeconds: debounceInput.optional() },
  async run(context, input): Promise<WebhookView> {
    const webhook = await findWebhook(context, input.webhookId);
    const change = {
      url: input.url === undefined ? webhook.url : requireTarget(context.services, input.url),
      events: input.events ?? webhook.events,
      debounceSeconds: input.debounceSeconds ?? webhook.debounceSeconds,
    };
    const { webhooks } = context.services;
    await webhooks.update(context.website.id, webhook.id, change);
    // What failed was the old address: the new one is tried at once.
    const isTriedNow = webhook.status === "failing" && change.url !== webhook.url;
    if (isTriedNow) await webhooks.resume(context.website.id, webhook.id, false, context.now);
    const health = isTriedNow ? ({ status: "active", failures: 0, failingSince: null } as const) : {};
    return webhookView({ ...webhook, ...change, ...health }, context.now);
  },
  activity: (_, __, { id, url, events, debounceSeconds }) => ({ target: { id, label: url }, details: { events, debounceSeconds } }),
});
