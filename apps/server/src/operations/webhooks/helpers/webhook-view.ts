import { EVENT_TYPES } from "@stet/contract";
import { z } from "zod";
import { fail, invalid, notFound } from "#domain/failure";
import type { DeliveryId, WebhookId } from "#domain/ids";
import type { Timestamp } from "#domain/time";
import type { Delivery, Webhook } from "#domain/webhook";
import { idOf, type InWebsite } from "../../kernel/operation.ts";
import type { Services } from "../../kernel/services.ts";

/** An endpoint as its managers see it. Secrets stay where they are needed. */
export interface WebhookView extends Omit<Webhook, "secret" | "previousSecrets"> {
  /** Until then the secret before this one signs as well; null when there is only one. */
  readonly previousSecretUntil: Timestamp | null;
}

export function webhookView(webhook: Webhook, now: Timestamp): WebhookView {
  const { secret: _, previousSecrets, ...shown } = webhook;
  return { ...shown, previousSecretUntil: previousSecrets.find(({ until }) => until > now)?.until ?? null };
}

export const webhookId = idOf<WebhookId>("webhook");
export const deliveryId = idOf<DeliveryId>("delivery");

export const urlInput = z.string().trim().max(2_048, "must not be over 2048 characters");
export const eventsInput = z
  .array(z.enum(EVENT_TYPES))
  .min(1, "must name at least one event")
  .transform((events) => EVENT_TYPES.filter((type) => events.includes(type)));
/** Up to an hour. */
export const debounceInput = z.int().min(0).max(3_600);

const OWN_MACHINE = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

export function requireTarget({ sender }: Services, url: string): string {
  const refusal = sender.refusalOf(url);
  if (refusal !== null) {
    // The address that developers of a receiver enter first.
    const isOwn = OWN_MACHINE.test(URL.parse(url)?.hostname ?? "");
    const hint = `This is your own machine, which this server cannot call. During development, run: stet listen --forward ${url}`;
    throw invalid([{ field: "url", message: isOwn ? hint : refusal }]);
  }
  // As it will be called: forms that hide what they mean are written out.
  return new URL(url).href;
}

export async function findWebhook({ services, website }: InWebsite, id: WebhookId): Promise<Webhook> {
  const webhook = await services.webhooks.get(website.id, id);
  if (!webhook) throw notFound("webhook");
  return webhook;
}

export async function findDelivery({ services, website }: InWebsite, id: DeliveryId): Promise<Delivery> {
  const delivery = await services.webhooks.getDelivery(website.id, id);
  if (!delivery) throw notFound("delivery");
  return delivery;
}

/** To one that is paused or off nothing is sent, not even by hand: it would wait without a word. */
export function requireOn({ status }: Webhook): void {
  if (status === "active" || status === "failing") return;
  throw fail("INVALID_TRANSITION", `The endpoint is ${status === "off" ? "switched off" : "paused"}. Switch it on first.`, { status });
}
