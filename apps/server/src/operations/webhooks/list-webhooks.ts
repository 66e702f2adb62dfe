import type { EndpointLine } from "#ports/webhooks";
import { websiteOperation } from "../kernel/operation.ts";
import { type WebhookView, webhookView } from "./helpers/webhook-view.ts";

export type WebhookLine = WebhookView & EndpointLine;

export const listWebhooks = websiteOperation({
  name: "list_webhooks",
  summary: "List the webhook endpoints of a website, with their status, last attempt and failures in a row.",
  permission: "webhook.manage",
  input: {},
  run: async ({ services, website, now }): Promise<readonly WebhookLine[]> =>
    (await services.webhooks.list(website.id)).map(({ waiting, missed, nextProbeAt, ...webhook }) => ({
      ...webhookView(webhook, now),
      waiting,
      missed,
      nextProbeAt,
    })),
  activity: "none",
});
