import { useQuery } from "@tanstack/react-query";
import { Bot } from "lucide-react";
import { useId, useState } from "react";
import { rpc } from "../../../api/rpc.ts";
import { plural } from "../../../lib/format.ts";
import { isEmptyDiff, NamedDiff } from "../../../shell/suggestions/named-diff.tsx";
import { useActorNames } from "../../../shell/use-actor-names.ts";
import { Button } from "../../../ui/button.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { Loading } from "../../../ui/spinner.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { useEditorPage } from "../editor-context.tsx";

/** Names the connected apps whose changes go live with this publication, with the comparison one click away. */
export function ToolChanges({ isSaved }: { isSaved: boolean }) {
  const { at, post } = useEditorPage();
  // The version is part of the question: another save may add a change.
  const changes = useQuery({
    queryKey: ["list_tool_changes", at, post.version],
    queryFn: ({ signal }) => rpc("list_tool_changes", at, { signal }),
    enabled: isSaved,
  });
  const nameOf = useActorNames(changes.data?.tools.map(({ by }) => by) ?? []);
  if (!changes.data || changes.data.tools.length === 0) return null;
  const { liveRevisionId, tools } = changes.data;
  return (
    <section aria-label="Changes by connected apps">
      <ul className="divide-y divide-line rounded-control border border-line text-sm">
        {tools.map((tool) => (
          <li key={tool.by.id} className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2.5">
            <Bot aria-hidden className="size-4 shrink-0 text-info" />
            <p className="min-w-40 flex-1">
              Includes {plural(tool.changes, "change")} by {nameOf(tool.by)},{" "}
              <span className="whitespace-nowrap text-muted">
                <TimeAgo at={tool.lastAt} />
              </span>
            </p>
            {/* A draft has no live version: each app is compared with what it found. */}
            {!liveRevisionId && tool.previousRevisionId && (
              <Comparison compared={{ fromRevisionId: tool.previousRevisionId, toRevisionId: tool.revisionId }} />
            )}
          </li>
        ))}
        {liveRevisionId && (
          <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-2.5">
            <Comparison compared={{ fromRevisionId: liveRevisionId }} />
          </li>
        )}
      </ul>
    </section>
  );
}

interface ComparedRevisions {
  readonly fromRevisionId: string;
  /** Without: the text as it is now. */
  readonly toRevisionId?: string;
}

function Comparison({ compared }: { compared: ComparedRevisions }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button size="sm" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "Hide changes" : "View changes"}
      </Button>
      <div id={id} className="basis-full empty:hidden">
        {isOpen && <Compared compared={compared} />}
      </div>
    </>
  );
}

function Compared({ compared }: { compared: ComparedRevisions }) {
  const { at, post } = useEditorPage();
  const diff = useQuery({
    queryKey: ["diff_revisions", compared, post.version],
    queryFn: ({ signal }) => rpc("diff_revisions", { ...at, ...compared }, { signal }),
  });
  if (diff.isPending) return <Loading label="Comparing …" />;
  if (diff.isLoadingError) return <ErrorState error={diff.error} onRetry={() => void diff.refetch()} />;
  return (
    <div className="flex flex-col gap-3 py-1">
      <p className="text-[0.8125rem] text-muted">
        {compared.toRevisionId ? "The last change of this app." : "All changes since the last publication, including those by people."}
      </p>
      {isEmptyDiff(diff.data) ? <p className="text-muted">No difference in the text.</p> : <NamedDiff diff={diff.data} />}
    </div>
  );
}
