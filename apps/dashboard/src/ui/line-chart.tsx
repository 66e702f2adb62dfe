import { type KeyboardEvent, type PointerEvent, useState } from "react";
import { formatCompact, formatNumber } from "../lib/format.ts";
import { formatDay } from "../lib/time.ts";

export interface ChartPoint {
  /** UTC, such as 2026-11-15. */
  readonly day: string;
  readonly value: number;
}

/**
 * A number for each day, as a line. The pointer and the arrow keys show one day at a time; screen readers have the sum of
 * it as the name, and every day in a table.
 */
export function LineChart({ points, label, summary }: { points: readonly ChartPoint[]; label: string; summary: string }) {
  const [shown, setShown] = useState<number | null>(null);
  const top = roundUp(Math.max(...points.map(({ value }) => value)));
  const last = points.length - 1;
  const x = (index: number) => (last === 0 ? 50 : (index / last) * 100);
  const y = (value: number) => 100 - (value / top) * 100;
  const line = points.map(({ value }, index) => `${index === 0 ? "M" : "L"}${x(index).toFixed(2)} ${y(value).toFixed(2)}`).join("");
  const point = shown === null ? undefined : points[shown];

  const onPointer = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setShown(Math.max(0, Math.min(last, Math.round(((clientX - left) / width) * last))));
  };
  const onKey = (event: KeyboardEvent) => {
    const at = shown ?? last;
    const next = { ArrowLeft: at - 1, ArrowRight: shown === null ? at : at + 1, Home: 0, End: last }[event.key];
    if (event.key === "Escape") setShown(null);
    if (next === undefined) return;
    event.preventDefault();
    setShown(Math.max(0, Math.min(last, next)));
  };

  return (
    <figure className="relative m-0">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2">
        <div
          role="slider"
          aria-label={`${label}. ${summary}`}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={shown ?? last}
          aria-valuetext={words(point ?? points[last])}
          tabIndex={0}
          className="relative h-44 touch-pan-y rounded-sm outline-offset-4"
          onPointerMove={onPointer}
          onPointerLeave={() => setShown(null)}
          onKeyDown={onKey}
          onBlur={() => setShown(null)}
        >
          <svg aria-hidden viewBox="0 0 100 100" preserveAspectRatio="none" className="absolute inset-0 size-full overflow-visible">
            {[0, 50, 100].map((at) => (
              <line key={at} x1="0" x2="100" y1={at} y2={at} className="stroke-line" vectorEffect="non-scaling-stroke" />
            ))}
            <path d={`${line}L100 100L0 100Z`} className="fill-accent opacity-10" />
            <path
              d={line}
              className="fill-none stroke-accent"
              strokeWidth="2"
              strokeLinejoin="round"
              strokeLinecap="round"
              vectorEffect="non-scaling-stroke"
            />
            {shown !== null && (
              <line
                x1={x(shown)}
                x2={x(shown)}
                y1="0"
                y2="100"
                className="stroke-line-strong"
                strokeDasharray="3 3"
                vectorEffect="non-scaling-stroke"
              />
            )}
          </svg>
          {point && shown !== null && (
            <>
              <span
                aria-hidden
                className="absolute size-2.5 -translate-1/2 rounded-full border-2 border-surface bg-accent"
                style={{ left: `${x(shown)}%`, top: `${y(point.value)}%` }}
              />
              <span
                aria-hidden
                className="pointer-events-none absolute -top-2 z-10 rounded-md bg-primary px-2 py-1 text-xs whitespace-nowrap text-on-primary shadow-raised"
                style={{ left: `${x(shown)}%`, transform: `translateX(-${x(shown)}%)` }}
              >
                {formatDay(point.day)}: <strong className="tabular-nums">{formatNumber(point.value)}</strong>
              </span>
            </>
          )}
        </div>
        <div aria-hidden className="relative w-7 text-[0.6875rem] leading-none text-muted tabular-nums">
          <span className="absolute top-0 -translate-y-1/2">{formatCompact(top)}</span>
          {top % 2 === 0 && <span className="absolute top-1/2 -translate-y-1/2">{formatCompact(top / 2)}</span>}
          <span className="absolute bottom-0 translate-y-1/2">0</span>
        </div>
        <div aria-hidden className="mt-2 flex justify-between text-[0.6875rem] text-muted">
          {[0, Math.floor(last / 2), last].map((index) => (
            <span key={index}>{points[index] && formatDay(points[index].day)}</span>
          ))}
        </div>
      </div>
      {/* A table is always as high as its rows; the element around it can be hidden. */}
      <div className="sr-only">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">{label}</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ day, value }) => (
              <tr key={day}>
                <th scope="row">{formatDay(day)}</th>
                <td>{formatNumber(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

const words = (point: ChartPoint | undefined): string => (point ? `${formatDay(point.day)}: ${formatNumber(point.value)}` : "");

/** The top of the scale: an even round number a little above the highest. */
function roundUp(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 1)));
  const step = [1, 2, 4, 6, 8, 10].find((each) => each * power >= highest) ?? 10;
  return Math.max(step * power, 4);
}
