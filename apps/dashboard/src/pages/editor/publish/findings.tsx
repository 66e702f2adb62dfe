import { ArrowUpRight, CircleAlert, CircleCheck, Lightbulb } from "lucide-react";
import type { Finding } from "./use-checks.ts";

/** The findings of the checks; those that stop publishing come first. Choosing one leads to its field or text. */
export function Findings({ findings, onGo }: { findings: readonly Finding[]; onGo: (finding: Finding) => void }) {
  if (findings.length === 0) {
    return (
      <p className="flex items-center gap-2 text-sm text-ok">
        <CircleCheck aria-hidden className="size-4" />
        <span className="text-text">No problems found.</span>
      </p>
    );
  }
  const ordered = findings.toSorted((one, other) => Number(other.severity === "stops") - Number(one.severity === "stops"));
  return (
    <ul className="-mx-2 flex flex-col text-sm">
      {ordered.map((finding, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- one image may be shown twice
        <li key={`${index} ${finding.kind} ${finding.where.detail}`}>
          <button
            type="button"
            title="Show"
            onClick={() => onGo(finding)}
            className="group flex w-full items-start gap-2 rounded-control px-2 py-1.5 text-left hover:bg-hover"
          >
            {finding.severity === "stops" ? (
              <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-danger" />
            ) : (
              <Lightbulb aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
            )}
            <span className="min-w-0 flex-1">
              <span className="block break-words">
                {finding.severity === "stops" && <strong className="font-medium text-danger">Must be fixed: </strong>}
                {finding.message}
              </span>
              {finding.kind === "image-alt-missing" && (
                <span className="block truncate text-[0.8125rem] text-muted">{finding.where.detail}</span>
              )}
            </span>
            <ArrowUpRight aria-hidden className="mt-0.5 size-4 shrink-0 text-muted opacity-60 group-hover:opacity-100" />
          </button>
        </li>
      ))}
    </ul>
  );
}
