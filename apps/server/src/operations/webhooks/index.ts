import { createWebhook } from "./create-webhook.ts";
import { deleteWebhook } from "./delete-webhook.ts";
import { getDelivery } from "./get-delivery.ts";
import { listDeliveries } from "./list-deliveries.ts";
import { listEvents } from "./list-events.ts";
import { listWebhooks } from "./list-webhooks.ts";
import { pauseWebhook } from "./pause-webhook.ts";
import { resendDelivery } from "./resend-delivery.ts";
import { resendFailed } from "./resend-failed.ts";
import { resumeWebhook } from "./resume-webhook.ts";
import { rollWebhookSecret } from "./roll-webhook-secret.ts";
import { testWebhook } from "./test-webhook.ts";
import { updateWebhook } from "./update-webhook.ts";

export const operations = {
  create_webhook: createWebhook,
  list_webhooks: listWebhooks,
  update_webhook: updateWebhook,
  pause_webhook: pauseWebhook,
  resume_webhook: resumeWebhook,
  roll_webhook_secret: rollWebhookSecret,
  delete_webhook: deleteWebhook,
  test_webhook: testWebhook,
  list_events: listEvents,
  list_deliveries: listDeliveries,
  get_delivery: getDelivery,
  resend_delivery: resendDelivery,
  resend_failed: resendFailed,
} as const;
