import { EVENT_TYPES } from "@stet/contract";
import { fail } from "#domain/failure";
import { newId } from "#domain/ids";
import { millis } from "#domain/time";
import type { Webhook } from "#domain/webhook";
import { makeWebhookSecret } from "#domain/webhook-signature";
import { websiteOperation } from "../kernel/operation.ts";
import { debounceInput, eventsInput, requireTarget, urlInput, type WebhookView, webhookView } from "./helpers/webhook-view.ts";

/** Every event becomes one delivery for each of them. */
const MOST = 50;

export interface NewWebhook {
  /** The signing secret. Shown this once. */
  readonly secret: string;
  readonly record: WebhookView;
}

export const createWebhook = websiteOperation({
  name: "create_webhook",
  summary: "Add a webhook endpoint. Returns its signing secret, once.",
  permission: "webhook.manage",
  input: { url: urlInput, events: eventsInput.default([...EVENT_TYPES]), debounceSeconds: debounceInput.default(0) },
  async run({ services, website, by, now }, input): Promise<NewWebhook> {
    const url = requireTarget(services, input.url);
    if ((await services.webhooks.list(website.id)).length >= MOST)
      throw fail("PLAN_LIMIT", `A website can have ${MOST} endpoints. Delete one that is no longer needed.`, {
        limit: "webhooks",
        allowed: MOST,
      });
    const secret = makeWebhookSecret();
    const id = newId("webhook", millis(now));
    const webhook: Webhook = {
      id,
      websiteId: website.id,
      url,
      events: input.events,
      debounceSeconds: input.debounceSeconds,
      status: "active",
      offReason: null,
      failures: 0,
      failingSince: null,
      secret: services.seals.seal("webhook", id, secret),
      previousSecrets: [],
      createdAt: now,
      createdBy: by.userId,
      lastAttempt: null,
    };
    await services.webhooks.create(webhook);
    return { secret, record: webhookView(webhook, now) };
  },
  changes: "nothing",
  activity: (_, __, { record }) => ({ target: { id: record.id, label: record.url }, details: { events: record.events } }),
});
