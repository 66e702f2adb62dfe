import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";

/** How much of a limit is used. Null limit: as much as one likes. */
export function Gauge({
  label,
  used,
  limit,
  format,
  runsOut = true,
}: {
  label: ReactNode;
  used: number;
  limit: number | null;
  format: (value: number) => string;
  /** Whether nearing the limit is a warning. Having as many websites as the plan allows is not. */
  runsOut?: boolean;
}) {
  const share = limit === null || limit === 0 ? 0 : used / limit;
  const name = typeof label === "string" ? label : undefined;
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3 text-sm">
        <span>{label}</span>
        <span className="text-muted tabular-nums">
          {format(used)}
          {limit === null ? "" : ` of ${format(limit)}`}
        </span>
      </div>
      <div
        role="meter"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={limit ?? Math.max(used, 1)}
        aria-valuenow={Math.min(used, limit ?? used)}
        aria-valuetext={`${format(used)}${limit === null ? "" : ` of ${format(limit)}`}`}
        className="h-1.5 overflow-hidden rounded-full bg-hover"
      >
        <div
          className={cn("h-full rounded-full", runsOut && share >= 1 ? "bg-danger" : runsOut && share >= 0.75 ? "bg-warn" : "bg-ok")}
          style={{ width: `${Math.min(100, share * 100)}%` }}
        />
      </div>
    </div>
  );
}
