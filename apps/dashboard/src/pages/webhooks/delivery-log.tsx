import { EVENT_TYPES } from "@stet/contract/lists";
import { ScrollText } from "lucide-react";
import { useState } from "react";
import { useOpPages } from "../../api/hooks.ts";
import { plural } from "../../lib/format.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Select } from "../../ui/inputs.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { DELIVERY_WORDS, type DeliveryHead, outcomeOf, subjectOf } from "./words.ts";

const STATUSES = Object.keys(DELIVERY_WORDS) as DeliveryHead["status"][];
const TYPES: readonly DeliveryHead["eventType"][] = [...EVENT_TYPES, "webhook.test"];

const POST_ID = /^post_[0-9a-z]{26}$/;

/** The deliveries to an endpoint, newest first. */
export function DeliveryLog({ webhookId, onOpen }: { webhookId: string; onOpen: (deliveryId: string) => void }) {
  const { website } = useWebsiteContext();
  const [status, setStatus] = useState<DeliveryHead["status"] | "">("");
  const [eventType, setEventType] = useState<DeliveryHead["eventType"] | "">("");
  const [post, setPost] = useState("");
  const deliveries = useOpPages("list_deliveries", {
    websiteId: website.id,
    webhookId,
    ...(status && { status }),
    ...(eventType && { eventType }),
    ...(post && (POST_ID.test(post) ? { postId: post } : { title: post })),
  });
  const isFiltered = status !== "" || eventType !== "" || post !== "";
  return (
    <section aria-label="Deliveries" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h3 className="font-semibold">Deliveries</h3>
        <div className="flex flex-wrap gap-2 max-sm:w-full">
          <SearchInput label="Search by post" className="w-56 max-sm:w-full" value={post} onSearch={setPost} />
          <Select
            aria-label="Status"
            className="w-40 max-sm:w-auto max-sm:flex-1"
            value={status}
            onChange={(event) => setStatus(event.target.value as typeof status)}
          >
            <option value="">Any status</option>
            {STATUSES.map((each) => (
              <option key={each} value={each}>
                {DELIVERY_WORDS[each].label}
              </option>
            ))}
          </Select>
          <Select
            aria-label="Event"
            className="w-40 max-sm:w-auto max-sm:flex-1"
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
      ) : deliveries.isLoadingError ? (
        <ErrorState error={deliveries.error} onRetry={() => void deliveries.refetch()} />
      ) : deliveries.items?.length === 0 ? (
        <EmptyState icon={ScrollText} title={isFiltered ? "No matching deliveries" : "No deliveries yet"}>
          {isFiltered
            ? "Choose another status or event, or search for another title."
            : "Publish a post, or send a test. Deliveries are kept for 90 days."}
        </EmptyState>
      ) : (
        <ul
          aria-busy={deliveries.isPlaceholderData}
          className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface"
        >
          {deliveries.items?.map((delivery) => (
            <li key={delivery.id}>
              <DeliveryLine delivery={delivery} onOpen={onOpen} />
            </li>
          ))}
        </ul>
      )}
      <LoadMore query={deliveries} />
    </section>
  );
}

/** The post and what happened to it on the left; how the telling went on the right, or below on a phone. */
function DeliveryLine({ delivery, onOpen }: { delivery: DeliveryHead; onOpen: (deliveryId: string) => void }) {
  const { label, tone } = DELIVERY_WORDS[delivery.status];
  return (
    <button
      type="button"
      onClick={() => onOpen(delivery.id)}
      className="flex w-full flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-3 text-left text-sm hover:bg-hover"
    >
      <span className="flex min-w-0 flex-1 flex-col gap-0.5 max-sm:w-full max-sm:flex-none">
        <span className="truncate font-medium">{subjectOf(delivery)}</span>
        <span className="truncate text-[0.8125rem] text-muted">
          <span className="font-mono">{delivery.eventType}</span>
          {delivery.lastAttempt && ` · ${outcomeOf(delivery.lastAttempt)}, after ${delivery.lastAttempt.millis} ms`}
        </span>
      </span>
      <Badge tone={tone}>{label}</Badge>
      <span className="text-right text-[0.8125rem] text-muted whitespace-nowrap max-sm:ml-auto sm:w-48">
        {delivery.attempts > 1 && `${plural(delivery.attempts, "attempt")} · `}
        <TimeAgo at={delivery.createdAt} />
      </span>
    </button>
  );
}
