import type { ReactNode } from "react";
import { formatNumber } from "../lib/format.ts";

export interface Bar {
  readonly key: string;
  readonly label: ReactNode;
  readonly value: number;
  /** Beside the number, such as the share of errors. */
  readonly note?: ReactNode;
}

/** Names with numbers, the largest as wide as the list. */
export function BarList({ bars, label, unit }: { bars: readonly Bar[]; label: string; unit: (value: number) => string }) {
  const most = Math.max(1, ...bars.map(({ value }) => value));
  return (
    <ol aria-label={label} className="flex flex-col gap-1">
      {bars.map(({ key, label: name, value, note }) => (
        <li key={key} className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-3 text-sm">
          <span className="relative flex min-h-9 items-center gap-3 px-2.5 py-1.5">
            <span
              aria-hidden
              className="absolute inset-y-0 left-0 rounded-md bg-accent-soft"
              style={{ width: `${Math.max(1, (value / most) * 100)}%` }}
            />
            <span className="relative min-w-0 flex-1 truncate">{name}</span>
            {note && <span className="relative shrink-0">{note}</span>}
          </span>
          <span className="min-w-8 text-right font-medium tabular-nums" title={unit(value)}>
            {formatNumber(value)}
          </span>
        </li>
      ))}
    </ol>
  );
}
