import { Bot } from "lucide-react";
import { useState } from "react";
import type { RevisionSummary } from "../../../api/answers.ts";
import { useOpPages } from "../../../api/hooks.ts";
import { formatDateTime } from "../../../lib/time.ts";
import { useActorNames } from "../../../shell/use-actor-names.ts";
import { Avatar } from "../../../ui/avatar.tsx";
import { Badge } from "../../../ui/badge.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { LoadMore } from "../../../ui/load-more.tsx";
import { Loading } from "../../../ui/spinner.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { useEditorPage } from "../editor-context.tsx";
import { RevisionDialog } from "./revision-dialog.tsx";

const WORDS: Record<RevisionSummary["kind"], string> = {
  publish: "Published",
  update: "Published changes",
  save: "Saved",
  autosave: "Edited",
  restore: "Restored an earlier version",
};

/** The versions of the post with author and time. Each can be compared and restored. */
export function HistoryTab() {
  const { at, context } = useEditorPage();
  const revisions = useOpPages("list_revisions", { ...at, limit: 25 });
  const [chosen, setChosen] = useState<RevisionSummary | null>(null);
  const nameOf = useActorNames(revisions.items?.map(({ author }) => author) ?? []);
  if (revisions.isPending) return <Loading />;
  if (revisions.isLoadingError) return <ErrorState error={revisions.error} onRetry={() => void revisions.refetch()} />;
  return (
    <div className="flex flex-col gap-2">
      <ol aria-label="Versions, newest first" className="flex flex-col">
        {revisions.items?.map((revision) => (
          <li key={revision.id}>
            <button
              type="button"
              onClick={() => setChosen(revision)}
              className="-mx-2 flex w-[calc(100%+1rem)] items-start gap-3 rounded-control px-2 py-2 text-left hover:bg-hover"
            >
              {revision.author.type === "tool" ? (
                <span className="grid size-7 shrink-0 place-items-center rounded-full bg-info-soft text-info">
                  <Bot aria-hidden className="size-4" />
                </span>
              ) : (
                <Avatar name={revision.author.userId === context.session.user.id ? context.session.user.name : nameOf(revision.author)} />
              )}
              <span className="min-w-0 flex-1">
                <span className="flex items-center gap-2 text-sm">
                  <span className="truncate font-medium">{nameOf(revision.author)}</span>
                  {revision.wasLive && <Badge tone="ok">Live</Badge>}
                </span>
                <span className="block text-[0.8125rem] text-muted" title={formatDateTime(revision.at)}>
                  {WORDS[revision.kind]} <TimeAgo at={revision.at} />
                </span>
              </span>
            </button>
          </li>
        ))}
      </ol>
      <LoadMore query={revisions} />
      {chosen && <RevisionDialog revision={chosen} onClose={() => setChosen(null)} />}
    </div>
  );
}
