import type { WebsiteId, WorkspaceId } from "#domain/ids";
import type { JsonObject } from "#domain/json";

interface NoticeFacts {
  readonly workspaceId: WorkspaceId;
  readonly websiteId: WebsiteId | null;
  readonly kind: string;
  readonly target: { readonly id: string; readonly label: string };
  readonly details: JsonObject;
}

/** The email about a notice: what happened, what to do next, and where. Null: the notice is for the activity log only. */
export function noticeMail(
  { workspaceId, websiteId, kind, target, details }: NoticeFacts,
  publicUrl: string,
): { subject: string; text: string } | null {
  const webhook = `${publicUrl}/s/${websiteId}/settings/webhooks/${target.id}`;
  // A name is one line in a subject, whatever it holds.
  const label = target.label.replaceAll(/\s+/g, " ").slice(0, 200);
  switch (kind) {
    case "webhook_failing":
      return email(
        `Webhook failing: ${hostOf(label)}`,
        `The last ${number(details.failures)} attempts to deliver to ${label} failed, since ${word(details.since)}.`,
        "Nothing is lost: deliveries wait in order and are retried for days. Check what the receiver answered and fix it.",
        webhook,
      );
    case "webhook_switched_off":
      return email(
        `Webhook switched off: ${hostOf(label)}`,
        details.reason === "gone"
          ? `The receiver at ${label} answered 410 Gone, so nothing more is sent there.`
          : `After ${number(details.failures)} failed attempts in a row, nothing more is sent to ${label}.`,
        "New events are kept as missed. Fix the receiver, switch the webhook on again and resend what was missed.",
        webhook,
      );
    case "quota_warning":
      return email(
        `${number(details.percent)} % of this month's requests are used: ${label}`,
        `The workspace "${label}" has used ${number(details.used)} of its ${number(details.requestsPerMonth)} requests in ${word(details.month)}.`,
        details.percent === 100
          ? "API requests can be refused until the 1st (UTC), when the count resets. To continue before then, choose a larger plan, or raise the limit if you run the server."
          : "No requests are refused yet. To avoid that, check which keys send the most requests, choose a larger plan, or raise the limit if you run the server.",
        `${publicUrl}/w/${workspaceId}/plan`,
      );
    case "disk_space":
      return email("Your Stet server is running out of disk space", word(details.message), word(details.next), `${publicUrl}/`);
    default:
      return null;
  }
}

const email = (subject: string, happened: string, next: string, link: string) => ({
  subject,
  text: `${happened}\n\n${next}\n\n${link}\n\nYou receive this as the owner of the workspace.\n`,
});

const hostOf = (address: string): string => URL.parse(address)?.host ?? address;
const number = (value: unknown): string => (typeof value === "number" ? value.toLocaleString("en") : "?");
const word = (value: unknown): string => (typeof value === "string" ? value : "?");
