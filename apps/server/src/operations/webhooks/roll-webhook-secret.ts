import { fail } from "#domain/failure";
import { HOUR, millis, timestamp } from "#domain/time";
import { makeWebhookSecret } from "#domain/webhook-signature";
import { websiteOperation } from "../kernel/operation.ts";
import type { NewWebhook } from "./create-webhook.ts";
import { findWebhook, webhookId, webhookView } from "./helpers/webhook-view.ts";

/** For so long deliveries carry a signature of each, so that a receiver can change over at any moment. */
const OVERLAP_MILLIS = 24 * HOUR;
/**
 * A person who lost a new secret rolls again, while the receiver still knows only the first: all secrets of a day sign. The header must stay
 * short, though.
 */
const MOST_PREVIOUS = 4;

export const rollWebhookSecret = websiteOperation({
  name: "roll_webhook_secret",
  summary: "Create a new signing secret for a webhook endpoint; earlier ones also sign for 24 hours.",
  permission: "webhook.manage",
  input: { webhookId },
  async run(context, input): Promise<NewWebhook> {
    const { services, now } = context;
    const webhook = await findWebhook(context, input.webhookId);
    const secret = makeWebhookSecret();
    const sealed = services.seals.seal("webhook", webhook.id, secret);
    const rolled = { secret: webhook.secret, until: timestamp(millis(now) + OVERLAP_MILLIS) };
    const previousSecrets = [rolled, ...webhook.previousSecrets.filter(({ until }) => until > now)].slice(0, MOST_PREVIOUS);
    // Else the secret that the other one was just shown would sign nothing.
    if (!(await services.webhooks.rollSecret(webhook, sealed, previousSecrets)))
      throw fail("VERSION_CONFLICT", "Someone else just created a new secret for this endpoint. Try again if you need another one.");
    return { secret, record: webhookView({ ...webhook, secret: sealed, previousSecrets }, now) };
  },
  changes: "nothing",
  activity: (_, __, { record }) => ({ target: { id: record.id, label: record.url } }),
});
