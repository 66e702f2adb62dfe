import { useAct } from "../../api/hooks.ts";
import { plural } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toast } from "../../ui/toast.tsx";
import { nextTryWords, offWords, type Webhook } from "./words.ts";

/** Says why an endpoint misses events and what to do. Shows nothing while all is well. */
export function EndpointNotice({ webhook }: { webhook: Webhook }) {
  const isOn = webhook.status === "active" || webhook.status === "failing";
  const resume = useAct("resume_webhook", {
    stale: ["list_webhooks", "list_deliveries"],
    onError: toast.error,
    onSuccess: ({ resent }) => {
      const sent = resent > 0 ? `Resending ${plural(resent, "delivery", "deliveries")}.` : "";
      toast.ok(isOn ? sent || "Trying now." : `Switched on. ${sent}`.trim());
    },
  });
  const button = (words: string, resend: boolean, variant: "primary" | "outline" = "outline") => (
    <Button
      size="sm"
      variant={variant}
      busy={resume.isPending && resume.variables.resend === resend}
      disabled={resume.isPending}
      onClick={() => resume.mutate({ websiteId: webhook.websiteId, webhookId: webhook.id, resend })}
    >
      {words}
    </Button>
  );

  if (!isOn) {
    const isOff = webhook.status === "off";
    return (
      <Notice
        tone={isOff ? "danger" : "info"}
        title={isOff ? "Switched off" : "Paused"}
        action={
          webhook.missed > 0 ? (
            <span className="flex flex-wrap gap-2">
              {button("Switch on only", false)}
              {button(`Switch on and resend ${webhook.missed}`, true, "primary")}
            </span>
          ) : (
            button("Switch on", false, "primary")
          )
        }
      >
        {isOff ? offWords(webhook) : "Events are kept while it is paused, and can be sent when you switch it on."}
      </Notice>
    );
  }
  if (webhook.status === "failing") {
    return (
      <Notice
        tone="warn"
        title={webhook.failures > 1 ? `${webhook.failures} attempts in a row failed` : "The last attempt failed"}
        action={button("Try now", false)}
      >
        Deliveries wait in order while we retry one at a time. {nextTryWords(webhook)} After 10 failures in a row we notify the owner of the
        workspace; after 20 the endpoint is switched off.
      </Notice>
    );
  }
  if (webhook.missed > 0) {
    return (
      <Notice title={`${plural(webhook.missed, "delivery was", "deliveries were")} missed`} action={button("Resend missed", true)}>
        These events happened while the endpoint was paused or switched off, and were not sent.
      </Notice>
    );
  }
  return null;
}
