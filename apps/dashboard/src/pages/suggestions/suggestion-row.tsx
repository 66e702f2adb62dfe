import { Link } from "@tanstack/react-router";
import type { Suggestion } from "../../api/answers.ts";
import { capital } from "../../lib/format.ts";
import { suggestionWords } from "../../lib/suggestion-words.ts";
import { type DecidingProps, DecisionButtons } from "../../shell/suggestions/suggestion-buttons.tsx";
import type { useActorNames } from "../../shell/use-actor-names.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Badge, type BadgeTone } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";

const DECIDED: Record<Exclude<Suggestion["status"], "open">, { tone: BadgeTone; label: string }> = {
  accepted: { tone: "ok", label: "Accepted" },
  rejected: { tone: "danger", label: "Rejected" },
  withdrawn: { tone: "neutral", label: "Withdrawn" },
};

/** One suggestion: its target, who suggests what, and the answers or what became of it. */
export function SuggestionRow({
  suggestion,
  rights,
  decide,
  nameOf,
  onView,
}: DecidingProps & { nameOf: ReturnType<typeof useActorNames>; onView: () => void }) {
  const { target, status, by, changedAt } = suggestion;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-4 py-3.5 text-sm">
      <div className="min-w-56 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <Target suggestion={suggestion} />
          <span className="text-[0.8125rem] text-muted">{capital(target)}</span>
        </p>
        <p className="break-words text-muted">
          {nameOf(by)} {suggestionWords(suggestion, status !== "open")}, <TimeAgo at={changedAt} />
        </p>
        {status !== "open" && <Decided suggestion={suggestion} status={status} nameOf={nameOf} />}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={onView}>
          View
        </Button>
        {status === "rejected" && rights.decide && (
          <Button size="sm" busy={decide.busyOn(suggestion) === "reopen"} onClick={() => void decide.reopen(suggestion)}>
            Reopen
          </Button>
        )}
        {status === "open" && <DecisionButtons suggestion={suggestion} rights={rights} decide={decide} size="sm" onView={onView} />}
      </div>
    </li>
  );
}

function Target({ suggestion: { target, targetId, label } }: { suggestion: Suggestion }) {
  const { website } = useWebsiteContext();
  const name = label.trim() || "Untitled";
  if (target !== "post")
    return (
      <span dir="auto" className="min-w-0 font-medium break-words">
        {name}
      </span>
    );
  return (
    <Link
      dir="auto"
      to="/s/$websiteId/posts/$postId"
      params={{ websiteId: website.id, postId: targetId }}
      className="min-w-0 font-medium break-words hover:underline"
    >
      {name}
    </Link>
  );
}

function Decided({
  suggestion: { decided },
  status,
  nameOf,
}: {
  suggestion: Suggestion;
  status: keyof typeof DECIDED;
  nameOf: ReturnType<typeof useActorNames>;
}) {
  const { tone, label } = DECIDED[status];
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 text-[0.8125rem] text-muted">
      <Badge tone={tone}>{label}</Badge>
      {decided && (
        <span>
          by {nameOf(decided.by) === "You" ? "you" : nameOf(decided.by)}, <TimeAgo at={decided.at} />
        </span>
      )}
    </p>
  );
}
