import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { cn } from "../../lib/cn.ts";
import { formatDateTime } from "../../lib/time.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Popover } from "../../ui/popover.tsx";
import { byDay, type CalendarItem, type MonthProps, timeOf } from "./calendar-item.ts";

/** More would make one day as long as the month. */
const SHOWN = 4;
const WEEKDAY = new Intl.DateTimeFormat(undefined, { weekday: "short", timeZone: "UTC" });
const FULL_DAY = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "long", timeZone: "UTC" });

export function MonthGrid({
  weeks,
  items,
  month,
  today,
  timeZone,
  isStale,
  onMove,
}: MonthProps & { weeks: readonly (readonly string[])[]; isStale: boolean }) {
  const days = byDay(items, timeZone);
  return (
    <table
      aria-label="Posts by day"
      aria-busy={isStale}
      className={cn(
        "w-full table-fixed border-separate border-spacing-0 overflow-hidden rounded-card border border-line bg-surface transition-opacity",
        isStale && "opacity-60",
      )}
    >
      <thead>
        <tr>
          {weeks[0]!.map((day) => (
            <th key={day} scope="col" className="border-b border-line bg-sunken px-2.5 py-2 text-left text-xs font-medium text-muted">
              {WEEKDAY.format(new Date(day))}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]} className="group">
            {week.map((day) => (
              <td
                key={day}
                className={cn(
                  "h-28 border-r border-b border-line p-1.5 align-top group-last:border-b-0 last:border-r-0",
                  !day.startsWith(month) && "bg-sunken/60",
                )}
              >
                <time
                  dateTime={day}
                  {...(day === today && { "aria-current": "date" })}
                  className={cn(
                    "mb-1 grid h-6 min-w-6 w-fit place-items-center rounded-full px-1 text-xs tabular-nums text-muted",
                    day === today && "bg-accent font-semibold text-on-primary",
                  )}
                >
                  <span className="sr-only">{FULL_DAY.format(new Date(day))}</span>
                  <span aria-hidden>{Number(day.slice(8))}</span>
                </time>
                <Day items={days.get(day) ?? []} timeZone={timeZone} onMove={onMove} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Day({ items, timeZone, onMove }: { items: readonly CalendarItem[]; timeZone: string; onMove: (postId: string) => void }) {
  const [all, setAll] = useState(false);
  if (items.length === 0) return null;
  const shown = all || items.length <= SHOWN ? items : items.slice(0, SHOWN - 1);
  return (
    <ul className="flex flex-col gap-1">
      {shown.map((item) => (
        <li key={item.id}>
          <Item item={item} timeZone={timeZone} onMove={onMove} />
        </li>
      ))}
      {shown.length < items.length && (
        <li>
          <button type="button" className="px-1.5 text-xs text-muted hover:text-text hover:underline" onClick={() => setAll(true)}>
            {items.length - shown.length} more
          </button>
        </li>
      )}
    </ul>
  );
}

function Item({ item, timeZone, onMove }: { item: CalendarItem; timeZone: string; onMove: (postId: string) => void }) {
  const { website, may } = useWebsiteContext();
  const [open, setOpen] = useState(false);
  const { id, title, status, at } = item;
  const name = title.trim() || "Untitled";
  return (
    <Popover
      label={name}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <button
          type="button"
          className={cn(
            "block w-full rounded px-1.5 py-1 text-left text-xs leading-snug hover:underline",
            status === "scheduled" ? "bg-info-soft text-info" : "bg-ok-soft text-ok",
          )}
        >
          <span className="line-clamp-2 break-words">
            <span className="tabular-nums">{timeOf(at, timeZone)}</span> <bdi>{name}</bdi>
          </span>
          <span className="sr-only">, {status}</span>
        </button>
      }
    >
      <div className="flex flex-col gap-3">
        <div>
          <p dir="auto" className="mb-1.5 font-medium break-words">
            {name}
          </p>
          <p className="flex flex-wrap items-center gap-2 text-sm text-muted">
            <StatusBadge status={status} /> <time dateTime={at}>{formatDateTime(at, timeZone)}</time>
          </p>
        </div>
        <div className="flex gap-2">
          <Link
            to="/s/$websiteId/posts/$postId"
            params={{ websiteId: website.id, postId: id }}
            className={buttonClass({ size: "sm", variant: "primary" })}
          >
            Open
          </Link>
          {status === "scheduled" && may("post.publish") && (
            <Button
              size="sm"
              onClick={() => {
                setOpen(false);
                onMove(id);
              }}
            >
              Reschedule
            </Button>
          )}
        </div>
      </div>
    </Popover>
  );
}
