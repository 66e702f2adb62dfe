import { Check } from "lucide-react";
import { useOp } from "../../api/hooks.ts";
import { cn } from "../../lib/cn.ts";
import { TimeAgo } from "../../ui/time-ago.tsx";

const POLL_MILLIS = 2_000;

/**
 * Turns green when a request with the key arrives. It asks while the page is looked at and nothing has come; the server
 * notes the use of a key within a second, to the minute.
 */
export function FirstRequest({ websiteId, keyId }: { websiteId: string; keyId: string | null }) {
  const { data: keys, isError } = useOp("list_keys", { websiteId }, { refetchInterval: POLL_MILLIS });
  const used = (keys ?? [])
    .filter(({ id, status }) => (keyId === null ? status === "live" : id === keyId))
    .flatMap(({ lastUsedAt }) => lastUsedAt ?? [])
    .toSorted()
    .at(-1);
  const isReading = used !== undefined;
  return (
    <div
      role="status"
      className={cn(
        "flex items-center gap-3.5 rounded-card border px-5 py-4 transition-colors",
        isReading ? "border-ok/40 bg-ok-soft" : "border-line bg-surface",
      )}
    >
      {isReading ? (
        <span className="grid size-8 shrink-0 place-items-center rounded-full bg-ok text-on-primary">
          <Check aria-hidden className="size-4.5" strokeWidth={2.5} />
        </span>
      ) : (
        <span aria-hidden className="grid size-8 shrink-0 place-items-center rounded-full bg-hover">
          <span className="size-2.5 animate-pulse rounded-full bg-warn" />
        </span>
      )}
      <div className="min-w-0 text-sm">
        <p className="font-medium">{isReading ? "Your website is connected" : "Waiting for the first request …"}</p>
        <p className="text-muted">
          {isReading ? (
            <>
              Last request <TimeAgo at={used} />.
            </>
          ) : isError ? (
            "The server is not responding. Trying again."
          ) : (
            "Run the snippet. This updates on its own."
          )}
        </p>
      </div>
    </div>
  );
}
