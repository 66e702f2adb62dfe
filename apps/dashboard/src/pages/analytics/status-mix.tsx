import { cn } from "../../lib/cn.ts";
import { formatNumber } from "../../lib/format.ts";

const CLASSES: Readonly<Record<number, { label: string; look: string }>> = {
  2: { label: "Success", look: "bg-ok" },
  3: { label: "Not modified or redirected", look: "bg-info" },
  4: { label: "Refused", look: "bg-warn" },
  5: { label: "Failed", look: "bg-danger" },
};

/** The requests by result, as one bar and in words. */
export function StatusMix({ byStatus, total }: { byStatus: readonly { statusClass: number; requests: number }[]; total: number }) {
  const parts = byStatus.map(({ statusClass, requests }) => ({
    statusClass,
    requests,
    ...(CLASSES[statusClass] ?? { label: "Other", look: "bg-muted" }),
  }));
  return (
    <div className="flex flex-col gap-2.5">
      <div aria-hidden className="flex h-2 gap-0.5 overflow-hidden rounded-full">
        {parts.map(({ statusClass, requests, look }) => (
          <span key={statusClass} className={cn("h-full min-w-1", look)} style={{ width: `${(requests / total) * 100}%` }} />
        ))}
      </div>
      <ul aria-label="Requests by status" className="flex flex-wrap gap-x-5 gap-y-1 text-[0.8125rem]">
        {parts.map(({ statusClass, requests, label, look }) => (
          <li key={statusClass} className="flex items-center gap-1.5">
            <span aria-hidden className={cn("size-2 rounded-full", look)} />
            <span className="text-muted">
              {label} ({statusClass}xx)
            </span>
            <span className="font-medium tabular-nums">{formatNumber(requests)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
