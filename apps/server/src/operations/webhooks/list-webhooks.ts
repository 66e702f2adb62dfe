import { websiteOperation } from "../kernel/operation.ts";
import { type WebhookView, webhookView } from "./webhook-view.ts";

export interface WebhookLine extends WebhookView {
  /** Deliveries that are still on their way. */
  readonly waiting: number;
  /** Deliveries that were not sent because it was paused or off. */
  readonly missed: number;
}

export const listWebhooks = websiteOperation({
  name: "list_webhooks",
  summary: "List the webhook endpoints of a website, with their status, last attempt and failures in a row.",
  permission: "webhook.manage",
  input: {},
  run: async ({ services, website, now }): Promise<readonly WebhookLine[]> =>
    (await services.webhooks.list(website.id)).map(({ waiting, missed, ...webhook }) => ({
      ...webhookView(webhook, now),
      waiting,
      missed,
    })),
  activity: "none",
});
