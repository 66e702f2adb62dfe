import { Link } from "@tanstack/react-router";
import { cn } from "../../lib/cn.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { StatusBadge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { byDay, type MonthProps, timeOf } from "./calendar-item.ts";

const DAY = new Intl.DateTimeFormat(undefined, { weekday: "long", day: "numeric", month: "short", timeZone: "UTC" });

/** The month as a list of its days, for small screens. */
export function Agenda({ items, month, today, timeZone, onMove }: MonthProps) {
  const { website, may } = useWebsiteContext();
  const days = [...byDay(items, timeZone)].filter(([day]) => day.startsWith(month));
  return (
    <ol className="flex flex-col gap-5">
      {days.map(([day, ofDay]) => (
        <li key={day}>
          <h3 className={cn("mb-2 text-sm font-medium", day === today ? "text-accent" : "text-muted")}>
            <time dateTime={day}>{day === today ? "Today" : DAY.format(new Date(day))}</time>
          </h3>
          <ul className="divide-y divide-line rounded-card border border-line bg-surface">
            {ofDay.map(({ id, title, status, at }) => (
              <li key={id} className="flex items-center gap-3 px-4 py-3">
                <div className="min-w-0 flex-1">
                  <Link
                    to="/s/$websiteId/posts/$postId"
                    params={{ websiteId: website.id, postId: id }}
                    dir="auto"
                    className="font-medium break-words hover:underline"
                  >
                    {title.trim() || "Untitled"}
                  </Link>
                  <p className="mt-1 flex items-center gap-2 text-[0.8125rem] text-muted">
                    <StatusBadge status={status} /> <time dateTime={at}>{timeOf(at, timeZone)}</time>
                  </p>
                </div>
                {status === "scheduled" && may("post.publish") && (
                  <Button size="sm" aria-label={`Reschedule ${title.trim() || "Untitled"}`} onClick={() => onMove(id)}>
                    Reschedule
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}
