import { formatNumber } from "../../lib/format.ts";
import { Button } from "../../ui/button.tsx";
import type { BulkRun } from "./bulk-runs.ts";

/** Shows the progress of a run over many posts, with a button that stops it. */
export function BulkProgress({ run: { doing, ended, total, stop }, onStop }: { run: BulkRun; onStop: () => void }) {
  return (
    <div className="flex items-center gap-3 px-1 text-sm">
      <span role="status" className="tabular-nums">
        {doing} … {formatNumber(ended)}
        {total !== null && ` of ${formatNumber(total)}`}
      </span>
      {total !== null && (
        <span
          role="progressbar"
          aria-label={doing}
          aria-valuemin={0}
          aria-valuemax={total}
          aria-valuenow={ended}
          className="h-1.5 w-28 overflow-hidden rounded-full bg-hover"
        >
          <span className="block h-full rounded-full bg-accent transition-[width]" style={{ width: `${(ended / total) * 100}%` }} />
        </span>
      )}
      {/* One post is through before anybody could. */}
      {total !== 1 && (
        <Button
          size="sm"
          onClick={() => {
            onStop();
            stop();
          }}
        >
          Stop
        </Button>
      )}
    </div>
  );
}
