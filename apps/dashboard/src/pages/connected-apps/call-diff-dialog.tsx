import { useQuery } from "@tanstack/react-query";
import type { ToolCall } from "../../api/answers.ts";
import { rpc } from "../../api/rpc.ts";
import type { Output } from "../../api/wire.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { DiffSections } from "../../ui/diff-sections.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { toolWords } from "./call-words.ts";

const PAGE_SIZE = 100;

type Found = { what: "diff"; diff: Output<"diff_revisions"> } | { what: keyof typeof WORDS };

const WORDS = {
  same: "Only the status of the post changed, not its text.",
  thinned: "This version is no longer in the history. After a week, the history keeps one version per hour.",
} as const;

/** Compares the text of a post before and after one call, by the revisions around it. */
export function CallDiffDialog({ call, onClose }: { call: ToolCall; onClose: () => void }) {
  const diff = useQuery({ queryKey: ["diff of call", call.id], queryFn: ({ signal }) => compare(call, signal) });
  return (
    <Dialog
      open
      onOpenChange={onClose}
      width="lg"
      title={call.target?.label || "Untitled"}
      description={`What “${toolWords(call.tool)}” changed.`}
    >
      {diff.isPending ? (
        <Loading label="Comparing …" />
      ) : diff.isLoadingError ? (
        <ErrorState error={diff.error} onRetry={() => void diff.refetch()} />
      ) : diff.data.what === "diff" ? (
        <DiffSections diff={diff.data.diff} />
      ) : (
        <p className="text-sm text-muted">{WORDS[diff.data.what]}</p>
      )}
    </Dialog>
  );
}

async function compare({ target, websiteId, before, after }: ToolCall, signal: AbortSignal): Promise<Found> {
  if (!target || !websiteId || before === null || after === null) return { what: "thinned" };
  const at = { websiteId, postId: target.id };
  let cursor: string | null = null;
  let to: string | undefined;
  do {
    const page: Output<"list_revisions"> = await rpc("list_revisions", { ...at, limit: PAGE_SIZE, ...(cursor && { cursor }) }, { signal });
    to ??= page.items.find(({ version }) => version <= after && version > before)?.id;
    const from = page.items.find(({ version }) => version <= before);
    if (from)
      return to ? shown(await rpc("diff_revisions", { ...at, fromRevisionId: from.id, toRevisionId: to }, { signal })) : { what: "same" };
    cursor = page.nextCursor;
  } while (cursor);
  return { what: "thinned" };
}

const shown = (diff: Output<"diff_revisions">): Found =>
  diff.title.length + diff.excerpt.length + diff.body.length + diff.fields.length === 0 ? { what: "same" } : { what: "diff", diff };
