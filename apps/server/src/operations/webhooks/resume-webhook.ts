import { z } from "zod";
import { websiteOperation } from "../kernel/operation.ts";
import { findWebhook, webhookId, type WebhookView, webhookView } from "./helpers/webhook-view.ts";

/** Also for one that is failing: it is then probed at once. That it failed is forgotten only when it answers. */
export const resumeWebhook = websiteOperation({
  name: "resume_webhook",
  summary: "Switch a paused or disabled webhook endpoint on again, or retry a failing one now; `resend` also sends what it missed.",
  permission: "webhook.manage",
  input: { webhookId, resend: z.boolean() },
  async run(context, input): Promise<{ webhook: WebhookView; resent: number }> {
    const { services, website, now } = context;
    const webhook = await findWebhook(context, input.webhookId);
    const resent = await services.webhooks.resume(website.id, webhook.id, input.resend, now);
    await services.signals.tellHere({ topic: "event", id: website.id });
    return { webhook: webhookView(await findWebhook(context, webhook.id), now), resent };
  },
  changes: "nothing",
  activity: (_, { resend }, { webhook, resent }) => ({ target: { id: webhook.id, label: webhook.url }, details: { resend, resent } }),
});
