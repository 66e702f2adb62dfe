import type { ReactNode } from "react";
import { cn } from "../lib/cn.ts";

/** Shows how much of a limit is used. Without a limit it shows the number alone, without a bar. */
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
  const words = limit === null ? format(used) : `${format(used)} of ${format(limit)}`;
  const numbers = (
    <div className="flex items-baseline justify-between gap-3 text-sm">
      <span>{label}</span>
      <span className="text-muted tabular-nums">{words}</span>
    </div>
  );
  if (limit === null) return numbers;
  const share = limit === 0 ? 0 : used / limit;
  const name = typeof label === "string" ? label : undefined;
  return (
    <div className="flex flex-col gap-1.5">
      {numbers}
      <div
        role="meter"
        aria-label={name}
        aria-valuemin={0}
        aria-valuemax={limit}
        aria-valuenow={Math.min(used, limit)}
        aria-valuetext={words}
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
