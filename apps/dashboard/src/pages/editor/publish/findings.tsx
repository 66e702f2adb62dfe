import { CircleAlert, CircleCheck, Lightbulb } from "lucide-react";
import type { Finding } from "./use-checks.ts";

/** What the checks found, what stops publishing first. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  if (findings.length === 0) {
    return (
      <p className="flex items-center gap-2 text-sm text-ok">
        <CircleCheck aria-hidden className="size-4" />
        <span className="text-text">Nothing to mend.</span>
      </p>
    );
  }
  const ordered = findings.toSorted((one, other) => Number(other.severity === "stops") - Number(one.severity === "stops"));
  return (
    <ul className="flex flex-col gap-2.5 text-sm">
      {ordered.map((finding, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- one image may be shown twice
        <li key={`${index} ${finding.kind} ${finding.where.detail}`} className="flex items-start gap-2">
          {finding.severity === "stops" ? (
            <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
          ) : (
            <Lightbulb aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
          )}
          <div className="min-w-0">
            <p className="break-words">
              {finding.severity === "stops" && <strong className="font-medium text-danger">Must be mended: </strong>}
              {finding.message}
            </p>
            {finding.kind === "image-alt-missing" && <p className="truncate text-[0.8125rem] text-muted">{finding.where.detail}</p>}
          </div>
        </li>
      ))}
    </ul>
  );
}
