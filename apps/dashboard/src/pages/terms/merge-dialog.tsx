import { useId, useState } from "react";
import type { Term } from "../../api/answers.ts";
import { useAct, useOp } from "../../api/hooks.ts";
import { plural } from "../../lib/format.ts";
import { messageOf } from "../../lib/problem.ts";
import { KINDS } from "../../lib/term-kinds.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Notice } from "../../ui/notice.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { toast } from "../../ui/toast.tsx";

/** Choose the one to merge into; this one's slugs then lead to it. */
export function MergeDialog({ term, onClose }: { term: Term; onClose: () => void }) {
  const { website } = useWebsiteContext();
  const group = useId();
  const [search, setSearch] = useState("");
  const [target, setTarget] = useState<{ id: string; name: string } | null>(null);
  const found = useOp(
    "list_terms",
    { websiteId: website.id, kind: term.kind, limit: 20, ...(search && { nameContains: search }) },
    { keepPrevious: true },
  );
  const others = found.data?.items.filter(({ id }) => id !== term.id) ?? [];
  const merge = useAct("merge_terms", {
    stale: ["list_terms", "get_term"],
    onSuccess: ({ target: remaining }) => {
      toast.ok(`Merged “${term.name}” into “${remaining.name}”.`);
      onClose();
    },
  });
  const { one } = KINDS[term.kind];
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={`Merge “${term.name}” into another ${one}`}
      description={`${term.postCount === 0 ? "No post uses it. Its" : `Its ${plural(term.postCount, "post")} will show the other ${one}, and its`} address will redirect there. This cannot be undone.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="danger"
            disabled={!target}
            busy={merge.isPending}
            onClick={() => target && merge.mutate({ websiteId: website.id, sourceId: term.id, targetId: target.id })}
          >
            {target ? `Merge into “${target.name}”` : "Merge"}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <SearchInput label={`Search for the ${one} to merge into`} value={search} onSearch={setSearch} />
        {found.isPending && <Loading />}
        {found.isLoadingError && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
        {found.data && others.length === 0 && <p className="py-4 text-center text-sm text-muted">No other {one} found.</p>}
        <fieldset className="max-h-64 overflow-y-auto">
          <legend className="sr-only">The {one} to merge into</legend>
          {others.map((other) => (
            <label key={other.id} className="flex items-center gap-3 rounded-control px-2 py-2 text-sm hover:bg-hover">
              <input
                type="radio"
                name={group}
                className="accent-accent"
                checked={target?.id === other.id}
                onChange={() => setTarget(other)}
              />
              <span className="min-w-0 flex-1 truncate">{other.name}</span>
              <span className="text-muted">{plural(other.postCount, "post")}</span>
            </label>
          ))}
        </fieldset>
        {merge.isError && <Notice tone="danger">{messageOf(merge.error)}</Notice>}
      </div>
    </Dialog>
  );
}
