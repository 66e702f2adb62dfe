import { useNavigate, useSearch } from "@tanstack/react-router";
import { CalendarDays, ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useEffectEvent, useState } from "react";
import { useOp } from "../../api/hooks.ts";
import { isTyping } from "../../lib/is-typing.ts";
import { useNow } from "../../lib/use-now.ts";
import { dayIn, fromLocal } from "../../lib/zoned-time.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { Agenda } from "./agenda.tsx";
import { MonthGrid } from "./month-grid.tsx";
import { addMonths, dayAfter, firstDayOfWeek, readMonthSearch, weeksOf } from "./month.ts";
import { RescheduleDialog } from "./reschedule-dialog.tsx";

/** Published and scheduled posts by day, in the website's time zone. */
export function CalendarPage() {
  const { website } = useWebsiteContext();
  const settings = useOp("get_website", { websiteId: website.id });
  if (settings.isPending) return <Loading />;
  if (settings.isLoadingError) {
    return (
      <Page title="Calendar">
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      </Page>
    );
  }
  return <Calendar timeZone={settings.data.settings.timeZone} />;
}

function Calendar({ timeZone }: { timeZone: string }) {
  const { website } = useWebsiteContext();
  const navigate = useNavigate();
  const today = dayIn(useNow(), timeZone);
  const thisMonth = today.slice(0, 7);
  // Read again: the router passes on what an address says beside what the route knows.
  const { month = thisMonth } = readMonthSearch(useSearch({ from: "/signed-in/s/$websiteId/shell/calendar" }));
  const [moving, setMoving] = useState<string | null>(null);
  const weeks = weeksOf(month, firstDayOfWeek(navigator.language));
  const calendar = useOp(
    "list_calendar",
    {
      websiteId: website.id,
      from: fromLocal(`${weeks[0]![0]!}T00:00`, timeZone),
      to: fromLocal(`${dayAfter(weeks.at(-1)!.at(-1)!)}T00:00`, timeZone),
    },
    { keepPrevious: true },
  );
  const show = (next: string) =>
    void navigate({
      to: "/s/$websiteId/calendar",
      params: { websiteId: website.id },
      search: next === thisMonth ? {} : { month: next },
      replace: true,
    });

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || isTyping(event)) return;
    if (event.key === "ArrowLeft") show(addMonths(month, -1));
    else if (event.key === "ArrowRight") show(addMonths(month, 1));
    else if (event.key === "t") show(thisMonth);
  });
  useEffect(() => {
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);

  const items = calendar.data?.items ?? [];
  const props = { items, month, today, timeZone, onMove: setMoving };
  return (
    <Page title="Calendar" description={`Times are in the website’s time zone: ${timeZone.replaceAll("_", " ")}.`}>
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <h2 aria-live="polite" className="text-lg font-semibold">
            {MONTH.format(new Date(`${month}-01`))}
          </h2>
          <div className="flex items-center gap-1">
            <Button size="sm" disabled={month === thisMonth} onClick={() => show(thisMonth)}>
              Today
            </Button>
            <IconButton label="Previous month" size="sm" onClick={() => show(addMonths(month, -1))}>
              <ChevronLeft />
            </IconButton>
            <IconButton label="Next month" size="sm" onClick={() => show(addMonths(month, 1))}>
              <ChevronRight />
            </IconButton>
          </div>
        </div>
        {calendar.isLoadingError && <ErrorState error={calendar.error} onRetry={() => void calendar.refetch()} />}
        {calendar.data?.isCut && <Notice tone="warn">Showing the first 500 posts of this month.</Notice>}
        <div className="hidden md:block">
          <MonthGrid weeks={weeks} isStale={calendar.isPlaceholderData || calendar.isPending} {...props} />
        </div>
        <div className="md:hidden">
          {calendar.isPending ? (
            <Loading />
          ) : items.some(({ at }) => dayIn(at, timeZone).startsWith(month)) ? (
            <Agenda {...props} />
          ) : (
            <EmptyState icon={CalendarDays} title="No posts this month">
              Scheduled and published posts appear here.
            </EmptyState>
          )}
        </div>
      </div>
      {moving && <RescheduleDialog postId={moving} timeZone={timeZone} onClose={() => setMoving(null)} />}
    </Page>
  );
}

const MONTH = new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" });
