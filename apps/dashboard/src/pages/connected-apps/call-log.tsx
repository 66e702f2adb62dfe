import { Link } from "@tanstack/react-router";
import { ScrollText, Undo2 } from "lucide-react";
import { useState } from "react";
import type { ToolCall } from "../../api/answers.ts";
import { useOpPages } from "../../api/hooks.ts";
import { cn } from "../../lib/cn.ts";
import { useWorkspaceContext } from "../../shell/website-context.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Select } from "../../ui/inputs.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { CallDiffDialog } from "./call-diff-dialog.tsx";
import { HELD, isReading, refusalWords, toolWords } from "./call-words.ts";

/** The calls of a connection, newest first: tool, target, result, and a comparison with the text before. */
export function CallLog({ connectionId, onUndoFrom }: { connectionId: string; onUndoFrom: (since: string) => void }) {
  const { workspace } = useWorkspaceContext();
  const [onlyChanges, setOnlyChanges] = useState(false);
  const [compared, setCompared] = useState<ToolCall | null>(null);
  const calls = useOpPages("list_tool_calls", { workspaceId: workspace.id, connectionId, onlyChanges, limit: 25 });
  return (
    <section aria-label="Calls" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-[0.9375rem] font-semibold">Calls in this workspace</h2>
        <Select
          aria-label="Filter calls"
          className="w-44"
          value={onlyChanges ? "changes" : "all"}
          onChange={(event) => setOnlyChanges(event.target.value === "changes")}
        >
          <option value="all">All calls</option>
          <option value="changes">Only changes</option>
        </Select>
      </div>
      {calls.isPending ? (
        <Loading />
      ) : calls.isLoadingError ? (
        <ErrorState error={calls.error} onRetry={() => void calls.refetch()} />
      ) : calls.items?.length === 0 ? (
        <EmptyState icon={ScrollText} title={onlyChanges ? "No changes yet" : "No calls yet"}>
          Calls are kept for 90 days.
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
          {calls.items?.map((call) => (
            <CallRow key={call.id} call={call} onCompare={() => setCompared(call)} onUndoFrom={onUndoFrom} />
          ))}
        </ul>
      )}
      <LoadMore query={calls} />
      {compared && <CallDiffDialog call={compared} onClose={() => setCompared(null)} />}
    </section>
  );
}

function CallRow({ call, onCompare, onUndoFrom }: { call: ToolCall; onCompare: () => void; onUndoFrom: (since: string) => void }) {
  const { workspace } = useWorkspaceContext();
  const { target, websiteId, before, after } = call;
  const website = workspace.websites.find(({ id }) => id === websiteId);
  const isPost = target?.id.startsWith("post_") ?? false;
  const isChange = after !== null && call.refusal === null;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1.5 px-4 py-3 text-sm">
      <span className="w-40 shrink-0" title={call.tool}>
        {toolWords(call.tool)}
      </span>
      <span className="min-w-40 flex-1">
        {target && websiteId && isPost ? (
          <Link to="/s/$websiteId/posts/$postId" params={{ websiteId, postId: target.id }} className="font-medium hover:underline">
            {target.label || (isChange ? "Untitled" : "A post")}
          </Link>
        ) : (
          target?.label || <span className="text-muted">{website?.name ?? "A deleted website"}</span>
        )}
        <span className="block text-[0.8125rem] text-muted">
          {(isPost || target?.label) && website ? `${website.name} · ` : ""}
          <TimeAgo at={call.at} />
        </span>
      </span>
      {call.refusal === HELD ? (
        <Badge tone="info">Suggested</Badge>
      ) : call.refusal ? (
        <span title={call.refusal}>
          <Badge tone="warn">Refused: {refusalWords(call.refusal)}</Badge>
        </span>
      ) : isChange ? (
        <Badge tone="info">{before === null ? "Created" : `Version ${before} → ${after}`}</Badge>
      ) : (
        <Badge>{isReading(call.tool) ? "Read" : "Nothing changed"}</Badge>
      )}
      {isChange && (
        <span className={cn("flex gap-1", before !== null && "max-sm:-ml-2.5 max-sm:w-full")}>
          {isPost && before !== null && (
            <Button size="sm" variant="ghost" onClick={onCompare}>
              What changed
            </Button>
          )}
          {call.undoSince && (
            <IconButton label="Undo from here" size="sm" onClick={() => onUndoFrom(call.undoSince ?? call.at)}>
              <Undo2 aria-hidden />
            </IconButton>
          )}
        </span>
      )}
    </li>
  );
}
