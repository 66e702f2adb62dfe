import type { PlanName } from "@stet/contract";
import { Check, Minus } from "lucide-react";
import type { Output } from "../../api/wire.ts";
import { cn } from "../../lib/cn.ts";
import { capital, formatBytes, formatNumber, plural } from "../../lib/format.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";

export type PlanLimits = Output<"list_plans">["plans"][number]["limits"];

/** The features of a plan, in words. False: the plan does not have the feature. */
function featuresOf(limits: PlanLimits): readonly { text: string; has: boolean }[] {
  const { requestsPerMonth, ratePerSecond, burst, storageBytes, websites, liveKeys } = limits;
  const more = limits.servedPercent - 100;
  return [
    { text: requestsPerMonth === null ? "Requests without limit" : `${formatNumber(requestsPerMonth)} requests a month`, has: true },
    {
      text:
        ratePerSecond === null
          ? "No limit per second"
          : `${formatNumber(ratePerSecond)} requests a second, bursts of ${formatNumber(burst ?? 0)}`,
      has: true,
    },
    { text: websites === null ? "Any number of websites" : plural(websites, "website"), has: true },
    { text: storageBytes === null ? "Images without limit" : `${formatBytes(storageBytes).replace(".0 ", " ")} of images`, has: true },
    { text: liveKeys === null ? "Any number of keys" : `${plural(liveKeys, "live key")} per website`, has: true },
    { text: "Full-text search", has: limits.search },
    { text: "API traffic by route", has: limits.trafficPerEndpoint },
    { text: "Own content database", has: limits.ownDatabase },
    { text: "Own image storage", has: limits.ownImageStore },
    { text: more > 0 ? `${more} % extra requests before any are refused` : "Extra requests before any are refused", has: more > 0 },
  ];
}

export function PlanCard({
  name,
  limits,
  isCurrent,
  isLarger,
  onChoose,
}: {
  name: PlanName;
  limits: PlanLimits;
  isCurrent: boolean;
  isLarger: boolean;
  onChoose: (() => void) | null;
}) {
  return (
    <article className={cn("flex flex-col rounded-card border bg-surface p-5", isCurrent ? "border-accent" : "border-line")}>
      <header className="flex items-center justify-between gap-2">
        <h3 className="font-serif text-xl font-medium">{capital(name)}</h3>
        {isCurrent && <Badge tone="accent">Your plan</Badge>}
      </header>
      <ul className="mt-4 flex flex-1 flex-col gap-2 text-sm">
        {featuresOf(limits).map(({ text, has }) => (
          <li key={text} className={cn("flex items-start gap-2", !has && "text-muted")}>
            {has ? (
              <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-ok" />
            ) : (
              <Minus aria-hidden className="mt-0.5 size-4 shrink-0 text-line-strong" />
            )}
            <span>
              {!has && <span className="sr-only">Not included: </span>}
              {text}
            </span>
          </li>
        ))}
      </ul>
      {onChoose && (
        <Button className="mt-5" variant={isLarger ? "primary" : "outline"} onClick={onChoose}>
          {isLarger ? "Upgrade" : "Downgrade"} to {capital(name)}
        </Button>
      )}
    </article>
  );
}
