import { TrendingDown, TrendingUp } from "lucide-react";
import { formatNumber } from "../lib/format.ts";
import { Badge } from "./badge.tsx";

/** Compares a number with that of the period before. */
export function Trend({ now, before, period }: { now: number; before: number; period: string }) {
  if (before === 0) return now === 0 ? null : <Badge>None in the previous {period}</Badge>;
  const percent = Math.round(((now - before) / before) * 100);
  const Icon = percent < 0 ? TrendingDown : TrendingUp;
  return (
    <Badge tone={percent > 0 ? "ok" : percent < 0 ? "warn" : "neutral"}>
      {percent !== 0 && <Icon aria-hidden className="size-3.5" />}
      {percent === 0 ? "Same as" : `${percent > 0 ? "+" : "−"}${formatNumber(Math.abs(percent))} % vs`} the previous {period}
    </Badge>
  );
}
