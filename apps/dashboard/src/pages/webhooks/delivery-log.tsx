import { EVENT_TYPES } from "@stet/contract/lists";
import { ScrollText } from "lucide-react";
import { useState } from "react";
import { useOpPages } from "../../api/hooks.ts";
import { plural } from "../../lib/format.ts";
import { usePlace } from "../../shell/place.tsx";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Select } from "../../ui/inputs.tsx";
import { More } from "../../ui/more.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { DeliveryDialog } from "./delivery-dialog.tsx";
import { DELIVERY_WORDS, type DeliveryHead, outcomeOf } from "./words.ts";

const STATUSES = Object.keys(DELIVERY_WORDS) as DeliveryHead["status"][];
const TYPES: readonly DeliveryHead["eventType"][] = [...EVENT_TYPES, "webhook.test"];

/** What was sent to an endpoint, newest first. */
export function DeliveryLog({ webhookId, canResend }: { webhookId: string; canResend: boolean }) {
  const { website } = usePlace();
  const [status, setStatus] = useState<DeliveryHead["status"] | "">("");
  const [eventType, setEventType] = useState<DeliveryHead["eventType"] | "">("");
  const [openId, setOpenId] = useState<string | null>(null);
  const deliveries = useOpPages("list_deliveries", {
    websiteId: website.id,
    webhookId,
    ...(status && { status }),
    ...(eventType && { eventType }),
  });
  return (
    <section aria-label="Deliveries" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-semibold">Deliveries</h3>
        <div className="flex gap-2">
          <Select aria-label="Status" className="w-40" value={status} onChange={(event) => setStatus(event.target.value as typeof status)}>
            <option value="">Any status</option>
            {STATUSES.map((each) => (
              <option key={each} value={each}>
                {DELIVERY_WORDS[each].label}
              </option>
            ))}
          </Select>
          <Select
            aria-label="Event"
            className="w-40"
            value={eventType}
            onChange={(event) => setEventType(event.target.value as typeof eventType)}
          >
            <option value="">Any event</option>
            {TYPES.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </Select>
        </div>
      </div>
      {deliveries.isPending ? (
        <Loading />
      ) : deliveries.isError ? (
        <ErrorState error={deliveries.error} onRetry={() => void deliveries.refetch()} />
      ) : deliveries.items?.length === 0 ? (
        <EmptyState icon={ScrollText} title={status || eventType ? "No delivery is like that" : "Nothing was sent yet"}>
          {status || eventType ? "Choose another status or event." : "Publish a post, or send a test. Deliveries are kept for 90 days."}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
          {deliveries.items?.map((delivery) => (
            <li key={delivery.id}>
              <button
                type="button"
                onClick={() => setOpenId(delivery.id)}
                className="flex w-full flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-3 text-left text-sm hover:bg-hover"
              >
                <span className="w-40 font-mono text-[0.8125rem]">{delivery.eventType}</span>
                <Badge tone={DELIVERY_WORDS[delivery.status].tone}>{DELIVERY_WORDS[delivery.status].label}</Badge>
                <span className="min-w-0 flex-1 text-muted max-sm:order-last max-sm:w-full max-sm:flex-none sm:truncate">
                  {delivery.lastAttempt && `${outcomeOf(delivery.lastAttempt)}, after ${delivery.lastAttempt.millis} ms`}
                </span>
                <span className="text-[0.8125rem] text-muted">
                  {delivery.attempts > 0 && `${plural(delivery.attempts, "attempt")} · `}
                  <TimeAgo at={delivery.createdAt} />
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <More query={deliveries} />
      {openId && <DeliveryDialog deliveryId={openId} canResend={canResend} onClose={() => setOpenId(null)} />}
    </section>
  );
}
