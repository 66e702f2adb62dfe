import { Ban, Pencil } from "lucide-react";
import type { ApiKey } from "../../api/answers.ts";
import { formatNumber } from "../../lib/format.ts";
import { formatDate } from "../../lib/time.ts";
import { Badge } from "../../ui/badge.tsx";
import { IconButton } from "../../ui/button.tsx";
import { StackedCell, StackedRow } from "../../ui/stacked-table.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";

const SHOWN = 2;

export function KeyRow({ of: key, onEdit, onRevoke }: { of: ApiKey; onEdit: () => void; onRevoke: () => void }) {
  const isLive = key.status === "live";
  return (
    <StackedRow faded={!isLive}>
      <StackedCell>
        <span className="min-w-0 font-medium break-words">{key.name}</span>
      </StackedCell>
      <StackedCell label="Key">
        <code className="whitespace-nowrap text-[0.8125rem]">{key.masked}</code>
      </StackedCell>
      <StackedCell label="Status">
        <Badge tone={isLive ? "ok" : "neutral"}>{isLive ? "Live" : "Revoked"}</Badge>
      </StackedCell>
      <StackedCell label="Origins" className="md:max-w-44">
        <span className="break-words max-md:text-right" title={key.origins.join("\n")}>
          {key.origins.length === 0 ? "Any" : key.origins.slice(0, SHOWN).join(", ")}
          {key.origins.length > SHOWN && ` and ${key.origins.length - SHOWN} more`}
        </span>
      </StackedCell>
      <StackedCell label="Monthly cap">
        <span className="tabular-nums">{key.monthlyCap === null ? "No cap" : formatNumber(key.monthlyCap)}</span>
      </StackedCell>
      <StackedCell label="Created">
        <time dateTime={key.createdAt} className="whitespace-nowrap">
          {formatDate(key.createdAt)}
        </time>
      </StackedCell>
      <StackedCell label="Last used">
        {key.lastUsedAt ? <TimeAgo at={key.lastUsedAt} className="whitespace-nowrap" /> : <span>Never</span>}
      </StackedCell>
      <StackedCell>
        <span className="flex justify-end gap-0.5 max-md:w-full">
          {isLive && (
            <>
              <IconButton label={`Edit ${key.name}`} size="sm" onClick={onEdit}>
                <Pencil />
              </IconButton>
              <IconButton label={`Revoke ${key.name}`} size="sm" onClick={onRevoke}>
                <Ban />
              </IconButton>
            </>
          )}
        </span>
      </StackedCell>
    </StackedRow>
  );
}
