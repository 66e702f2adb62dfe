import { type Attempt, isReceived, type Webhook } from "#domain/webhook";
import { signWebhook } from "#domain/webhook-signature";
import { timestamp } from "#domain/time";
import type { Services } from "#operations/kernel/services";
import type { Waiting } from "#ports/webhooks";

/** The secrets that sign now: the endpoint's own, and those before it whose time is not over. */
export function secretsOf({ seals, clock }: Services, { id, secret, previousSecrets }: Webhook): readonly string[] {
  const now = timestamp(clock());
  return [secret, ...previousSecrets.filter(({ until }) => until > now).map((previous) => previous.secret)].map((text) => {
    const opened = seals.open("webhook", id, text);
    if (opened === null) throw new Error(`The secret of ${id} cannot be read. Was STET_SECRET replaced instead of put in front?`);
    return opened;
  });
}

/** One attempt, signed afresh. Whatever the receiver does is an attempt; it throws only when it was ended from here. */
export async function attempt(
  { sender, clock }: Services,
  { webhook, delivery, body, secrets }: { webhook: Webhook; delivery: Waiting; body: string; secrets: readonly string[] },
  signal: AbortSignal,
): Promise<Attempt> {
  const now = clock();
  const answer = await sender.post(
    {
      url: webhook.url,
      body,
      headers: {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "Stet-Webhooks/1",
        "service-signature": signWebhook(body, secrets, now),
        "stet-event-id": delivery.eventId,
        "stet-delivery-id": delivery.id,
        "stet-attempt": String(delivery.attempts + 1),
      },
    },
    signal,
  );
  const { status, millis, text } = answer;
  return { at: timestamp(now), url: webhook.url, status, error: answer.error ?? complaintAbout(status), millis, answer: text };
}

function complaintAbout(status: number | null): string | null {
  if (isReceived({ status })) return null;
  if (status !== null && status >= 300 && status < 400)
    return `The receiver answered ${status}. Redirects are not followed: enter the final address.`;
  return `The receiver answered ${status} instead of 2xx.`;
}
