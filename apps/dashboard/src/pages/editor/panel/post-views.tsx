import { useOp } from "../../../api/hooks.ts";
import { formatNumber } from "../../../lib/format.ts";
import { useEditorPage } from "../editor-context.tsx";

const HEIGHT = 36;

/** How often the post was read lately. */
export function PostViews() {
  const { at } = useEditorPage();
  const views = useOp("get_post_views", { ...at, period: "30d" });
  if (!views.data) return null;
  const { days, total, totalEver } = views.data;
  const most = Math.max(1, ...days.map((day) => day.views));
  return (
    <section aria-label="Views" className="flex items-end justify-between gap-4 rounded-control border border-line px-3.5 py-3">
      <div>
        <p className="text-[0.8125rem] text-muted">Views, last 30 days</p>
        <p className="text-xl font-semibold tabular-nums">{formatNumber(total)}</p>
        <p className="text-[0.8125rem] text-muted">{formatNumber(totalEver)} in total</p>
      </div>
      {total > 0 && (
        <svg aria-hidden viewBox={`0 0 ${days.length * 4} ${HEIGHT}`} preserveAspectRatio="none" className="h-9 w-32 shrink-0 text-accent">
          {days.map((day, index) => (
            <rect
              key={day.day}
              x={index * 4}
              y={HEIGHT - Math.max(1, (day.views / most) * HEIGHT)}
              width="3"
              height={Math.max(1, (day.views / most) * HEIGHT)}
              fill="currentColor"
            />
          ))}
        </svg>
      )}
    </section>
  );
}
