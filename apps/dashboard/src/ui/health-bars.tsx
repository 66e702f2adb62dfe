import { cn } from "../lib/cn.ts";
import { formatNumber } from "../lib/format.ts";
import { formatMoment } from "../lib/time.ts";

export interface HealthBar {
  readonly at: string;
  readonly answered: number;
  readonly failed: number;
  readonly latencyMillis: number | null;
}

/** The lowest bar that is still seen, in percent. */
const LOWEST = 18;
/** One in which something failed is seen at a glance. */
const FAILED = 60;
/** The top of the scale at least, in milliseconds: a database that is always quick must not look slow. */
const TOP_MILLIS = 50;

/**
 * A day of a database, a bar for each quarter of an hour: as high as it took to answer, red where it did not. What the picture shows is said in
 * words below it as well.
 */
export function HealthBars({ bars, label }: { bars: readonly HealthBar[]; label: string }) {
  const answered = sum(bars, ({ answered }) => answered);
  const failed = sum(bars, ({ failed }) => failed);
  const latencies = bars.flatMap(({ latencyMillis }) => latencyMillis ?? []);
  const slowest = Math.max(1, ...latencies);
  const top = Math.max(TOP_MILLIS, slowest);
  if (answered + failed === 0)
    return <p className="text-[0.8125rem] text-muted">{label}: no measurements yet. The first comes within five minutes.</p>;
  const average = latencies.length === 0 ? null : Math.round(latencies.reduce((all, each) => all + each, 0) / latencies.length);
  return (
    <figure className="m-0 flex flex-col gap-1.5">
      <div aria-hidden className="flex h-10 items-end gap-px">
        {bars.map((bar) => (
          <span
            key={bar.at}
            title={`${formatMoment(bar.at)}: ${wordsOf(bar)}`}
            className={cn("min-w-0 flex-1 rounded-[1px]", toneOf(bar))}
            style={{ height: `${heightOf(bar, top)}%` }}
          />
        ))}
      </div>
      <div aria-hidden className="flex justify-between text-[0.6875rem] text-muted">
        <span>24 hours ago</span>
        <span>Now</span>
      </div>
      <figcaption className="text-[0.8125rem] text-muted tabular-nums">
        {label}: {failed === 0 ? "always answered" : `${percent(answered, answered + failed)} % answered`}
        {average !== null && `, in ${formatNumber(average)} ms on average`}
        {average !== null && slowest > average && `, ${formatNumber(slowest)} ms at most`}.
      </figcaption>
    </figure>
  );
}

const sum = (bars: readonly HealthBar[], of: (bar: HealthBar) => number): number => bars.reduce((all, bar) => all + of(bar), 0);
const isAsked = ({ answered, failed }: HealthBar): boolean => answered + failed > 0;
const toneOf = (bar: HealthBar): string =>
  !isAsked(bar) ? "bg-hover" : bar.failed === 0 ? "bg-ok" : bar.answered === 0 ? "bg-danger" : "bg-warn";

function heightOf(bar: HealthBar, top: number): number {
  if (!isAsked(bar)) return LOWEST / 2;
  // One that did not answer has no time to show; it must not look small.
  if (bar.answered === 0) return 100;
  return Math.max(bar.failed > 0 ? FAILED : LOWEST, ((bar.latencyMillis ?? 0) / top) * 100);
}

function wordsOf({ answered, failed, latencyMillis }: HealthBar): string {
  if (answered + failed === 0) return "not asked";
  const time = latencyMillis === null ? "" : `, ${formatNumber(latencyMillis)} ms`;
  return failed === 0 ? `answered${time}` : `${formatNumber(failed)} of ${formatNumber(answered + failed)} not answered${time}`;
}

/** Never "100 %" where something failed. */
const percent = (part: number, all: number): string => formatNumber(Math.floor((part / all) * 1_000) / 10);
