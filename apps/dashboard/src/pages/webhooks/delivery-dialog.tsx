import { Link } from "@tanstack/react-router";
import { useAct, useOp } from "../../api/hooks.ts";
import type { Output } from "../../api/wire.ts";
import { plural } from "../../lib/format.ts";
import { formatMoment } from "../../lib/time.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Loading, Spinner } from "../../ui/spinner.tsx";
import { toast } from "../../ui/toast.tsx";
import { DELIVERY_WORDS, outcomeOf, prospectOf, subjectOf, type Webhook } from "./words.ts";

/** How often a delivery is loaded again while it is not finished. */
const LOOK_AGAIN_MILLIS = 2_000;

/** One delivery: its post, the request that was sent, and the result of each attempt. */
export function DeliveryDialog({ deliveryId, webhook, onClose }: { deliveryId: string; webhook: Webhook; onClose: () => void }) {
  const { website } = useWebsiteContext();
  const delivery = useOp(
    "get_delivery",
    { websiteId: website.id, deliveryId },
    { refetchInterval: ({ state: { data } }) => data?.status === "waiting" && LOOK_AGAIN_MILLIS },
  );
  const isFailing = webhook.status === "failing";
  const canResend = isFailing || webhook.status === "active";
  const isWaiting = delivery.data?.status === "waiting";
  const resend = useAct("resend_delivery", {
    stale: ["list_deliveries", "get_delivery", "list_webhooks"],
    onSuccess: () => toast.ok(isFailing ? "Queued. It is sent when the endpoint responds." : "Resending."),
    onError: toast.error,
  });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="lg"
      title={delivery.data ? subjectOf(delivery.data) : "Delivery"}
      description={delivery.data?.eventType ?? deliveryId}
      footer={
        <>
          {!canResend && <p className="mr-auto self-center text-sm text-muted">Switch the endpoint on to resend.</p>}
          <Button onClick={onClose}>Close</Button>
          <Button
            variant="primary"
            disabled={!canResend || !delivery.data || isWaiting}
            busy={resend.isPending}
            onClick={() => resend.mutate({ websiteId: website.id, deliveryId })}
          >
            Resend
          </Button>
        </>
      }
    >
      {delivery.isPending ? (
        <Loading />
      ) : delivery.isLoadingError ? (
        <ErrorState error={delivery.error} onRetry={() => void delivery.refetch()} />
      ) : (
        <Details delivery={delivery.data} webhook={webhook} />
      )}
    </Dialog>
  );
}

function Details({ delivery, webhook }: { delivery: Output<"get_delivery">; webhook: Webhook }) {
  const { label, tone } = DELIVERY_WORDS[delivery.status];
  const prospect = prospectOf(delivery, webhook);
  return (
    <div className="flex flex-col gap-5 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <Badge tone={tone}>{label}</Badge>
        <span className="text-muted">{formatMoment(delivery.createdAt)}</span>
        {delivery.postId && (
          <Link
            to="/s/$websiteId/posts/$postId"
            params={{ websiteId: delivery.websiteId, postId: delivery.postId }}
            className="font-medium underline"
          >
            Open post
          </Link>
        )}
      </p>
      {prospect && <p className="text-muted">{prospect}</p>}
      {delivery.coalesced.length > 0 && (
        <p className="text-muted">
          Includes {plural(delivery.coalesced.length, "other event")}; the ids are in <code>data.coalesced</code>.
        </p>
      )}
      <div className="flex flex-col gap-2">
        <h3 className="font-medium">Attempts</h3>
        {delivery.log.length === 0 && (
          <p role="status" className="flex items-center gap-2 text-muted">
            {delivery.status === "waiting" && !prospect ? (
              <>
                <Spinner /> Sending …
              </>
            ) : (
              "None yet."
            )}
          </p>
        )}
        <ol className="flex flex-col gap-2">
          {delivery.log.map((attempt, position) => (
            // Attempts have no id; two can fall into one millisecond only in theory, and nothing depends on it.
            <li key={`${attempt.at}-${String(position)}`} className="rounded-control border border-line px-3 py-2">
              <p className="flex flex-wrap justify-between gap-2">
                <span className={attempt.error ? "text-danger" : "text-ok"}>{outcomeOf(attempt)}</span>
                <span className="text-muted tabular-nums">
                  {formatMoment(attempt.at)} · {attempt.millis} ms
                </span>
              </p>
              {attempt.url !== webhook.url && <p className="break-all text-muted">to {attempt.url}</p>}
              {attempt.answer && (
                <pre tabIndex={0} className="mt-1.5 max-h-40 overflow-auto text-xs whitespace-pre-wrap text-muted">
                  {attempt.answer}
                </pre>
              )}
            </li>
          ))}
        </ol>
      </div>
      <div className="flex flex-col gap-2">
        <h3 className="font-medium">Request</h3>
        <CopyField label="request headers" value={headOf(delivery, webhook.url)} multiline />
        {delivery.body === null ? (
          <p className="text-muted">The body is created with the first attempt.</p>
        ) : (
          <CopyField label="request body" value={pretty(delivery.body)} multiline />
        )}
      </div>
    </div>
  );
}

/** The last request as a receiver sees it. The signature is not kept: each attempt has its own. */
const headOf = (delivery: Output<"get_delivery">, url: string): string =>
  [
    `POST ${delivery.lastAttempt?.url ?? url}`,
    "Content-Type: application/json; charset=utf-8",
    "Service-Signature: t=<unix seconds>,v1=<signature>",
    `Stet-Event-Id: ${delivery.eventId}`,
    `Stet-Delivery-Id: ${delivery.id}`,
    `Stet-Attempt: ${Math.max(delivery.attempts, 1)}`,
  ].join("\n");

/** Easier to read; the bytes that were signed are these without the spaces. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
