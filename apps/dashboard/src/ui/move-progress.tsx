import { formatNumber } from "../lib/format.ts";
import { Notice } from "./notice.tsx";

/** How far moving is, at which rate, how long it takes, and why it waits. */
export function MoveProgress({
  label,
  move,
  facts,
}: {
  label: string;
  move: { readonly state: string; readonly done: number; readonly total: number; readonly error: string | null };
  /** Shown while it runs; what is not known is left out. */
  facts: readonly (string | false | null)[];
}) {
  const isRunning = move.state === "running";
  const share = move.total === 0 ? 0 : (move.done / move.total) * 100;
  // Nobody has counted yet.
  const words = move.total === 0 && isRunning ? "…" : `${formatNumber(move.done)} of ${formatNumber(move.total)}`;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-col gap-1.5">
        <div className="flex items-baseline justify-between gap-3 text-sm">
          <span>{label}</span>
          <span className="text-muted tabular-nums">{words}</span>
        </div>
        <div
          role="progressbar"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(1, move.total)}
          aria-valuenow={move.done}
          aria-valuetext={words}
          className="h-1.5 overflow-hidden rounded-full bg-hover"
        >
          <div className="h-full rounded-full bg-ok transition-[width] duration-500" style={{ width: `${share}%` }} />
        </div>
        {isRunning && <p className="text-[0.8125rem] text-muted tabular-nums">{facts.filter(Boolean).join(" · ")}</p>}
      </div>
      {move.error && (
        <Notice tone={move.state === "failed" ? "danger" : "warn"} title={isRunning ? "Waiting to try again" : undefined}>
          {move.error}
        </Notice>
      )}
    </div>
  );
}
