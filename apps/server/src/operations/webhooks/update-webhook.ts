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
} from "./helpers/webhook-view.ts";

export const updateWebhook = websiteOperation({
  name: "update_webhook",
  summary: "Change the address, the events or the debounce time of a webhook endpoint.",
  permission: "webhook.manage",
  input: { webhookId, url: urlInput.optional(), events: eventsInput.optional(), debounceSeconds: debounceInput.optional() },
  async run(context, input): Promise<WebhookView> {
    const { services, website, now } = context;
    const webhook = await findWebhook(context, input.webhookId);
    const change = {
      url: input.url === undefined ? webhook.url : requireTarget(services, input.url),
      events: input.events ?? webhook.events,
      debounceSeconds: input.debounceSeconds ?? webhook.debounceSeconds,
    };
    await services.webhooks.update(website.id, webhook.id, change, now);
    await services.signals.tellHere({ topic: "event", id: website.id });
    return webhookView(await findWebhook(context, webhook.id), now);
  },
  changes: "nothing",
  activity: (_, __, { id, url, events, debounceSeconds }) => ({ target: { id, label: url }, details: { events, debounceSeconds } }),
});
