import { Link } from "@tanstack/react-router";
import type { Output } from "../../api/wire.ts";
import { capital, formatBytes, formatNumber } from "../../lib/format.ts";
import { isOwnServer } from "../../lib/plan-words.ts";
import { Badge } from "../../ui/badge.tsx";
import { Card } from "../../ui/card.tsx";
import { Gauge } from "../../ui/gauge.tsx";

export function UsageCard({ usage }: { usage: Output<"get_usage"> }) {
  const { limits, websites } = usage;
  const mostKeys = Math.max(0, ...websites.map(({ liveKeys }) => liveKeys));
  return (
    <Card
      title={
        <span className="flex items-center gap-2">
          Current usage {!isOwnServer(usage.plan) && <Badge tone="accent">{capital(usage.plan)} plan</Badge>}
        </span>
      }
      description={`Requests are counted for ${monthName(usage.month)} (UTC). The count resets on the 1st.`}
    >
      <div className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        <Gauge label="Requests this month" used={usage.requests} limit={limits.requestsPerMonth} format={formatNumber} />
        <Gauge label="Image storage" used={usage.storageBytes} limit={limits.storageBytes} format={formatBytes} />
        <Gauge label="Websites" used={websites.length} limit={limits.websites} format={formatNumber} runsOut={false} />
        <Gauge label="Live keys (website with the most)" used={mostKeys} limit={limits.liveKeys} format={formatNumber} runsOut={false} />
      </div>
      {websites.length > 0 && (
        <table className="mt-6 w-full text-sm" aria-label="By website">
          <thead>
            <tr className="border-b border-line text-left text-xs text-muted">
              <th scope="col" className="py-2 pr-3 font-medium">
                Website
              </th>
              <th scope="col" className="px-3 py-2 text-right font-medium">
                Live keys
              </th>
              <th scope="col" className="py-2 pl-3 text-right font-medium">
                Images
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {websites.map(({ id, name, liveKeys, storageBytes }) => (
              <tr key={id}>
                <td className="max-w-0 truncate py-2 pr-3">
                  <Link to="/s/$websiteId" params={{ websiteId: id }} className="hover:underline">
                    {name}
                  </Link>
                </td>
                <td className="w-24 px-3 py-2 text-right tabular-nums">{formatNumber(liveKeys)}</td>
                <td className="w-24 py-2 pl-3 text-right tabular-nums">{formatBytes(storageBytes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}

const monthName = (month: string): string =>
  new Intl.DateTimeFormat(undefined, { month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(`${month}-01T00:00:00Z`));
