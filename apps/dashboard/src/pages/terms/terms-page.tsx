import type { TermKind } from "@stet/contract";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { Term } from "../../api/answers.ts";
import { useAct, useOpPages } from "../../api/hooks.ts";
import { plural } from "../../lib/format.ts";
import { KINDS } from "../../lib/term-kinds.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Select } from "../../ui/inputs.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { Page } from "../../ui/page.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { toast } from "../../ui/toast.tsx";
import { MergeDialog } from "./merge-dialog.tsx";
import { TermDialog } from "./term-dialog.tsx";
import { type TermAction, TermRow } from "./term-row.tsx";
import { readTermsSearch, SORTS, type TermsSearch, type TermSort } from "./terms-search.ts";

type Open = { what: "create" } | { what: TermAction; term: Term } | null;

export function TermsPage({ kind }: { kind: TermKind }) {
  const { website, may } = useWebsiteContext();
  const navigate = useNavigate();
  const { q: search, sort = "name" } = readTermsSearch(useSearch({ strict: false }));
  const [open, setOpen] = useState<Open>(null);
  const words = KINDS[kind];
  const terms = useOpPages("list_terms", { websiteId: website.id, kind, sort, limit: 50, ...(search && { nameContains: search }) });
  const remove = useAct("delete_term", { stale: ["list_terms", "get_term"] });
  const close = () => setOpen(null);
  const show = ({ q = search, sort: by = sort }: TermsSearch) =>
    void navigate({ to: ".", search: readTermsSearch({ q, sort: by }), replace: true });
  const create = may("term.create") && (
    <Button variant="primary" onClick={() => setOpen({ what: "create" })}>
      <Plus aria-hidden />
      New {words.one}
    </Button>
  );

  return (
    <Page title={words.many} description={words.about} actions={create}>
      <div className="flex flex-wrap gap-3">
        <SearchInput
          label={`Search ${words.many.toLowerCase()}`}
          value={search ?? ""}
          onSearch={(q) => show({ q })}
          className="min-w-36 flex-1 sm:max-w-sm"
        />
        <Select aria-label="Sort" className="w-40" value={sort} onChange={(event) => show({ sort: event.target.value as TermSort })}>
          {Object.entries(SORTS).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </div>
      {terms.isPending ? (
        <Loading />
      ) : terms.isLoadingError ? (
        <ErrorState error={terms.error} onRetry={() => void terms.refetch()} />
      ) : terms.items?.length === 0 ? (
        <EmptyState
          icon={words.Icon}
          title={search ? `No ${words.many.toLowerCase()} match “${search}”` : `No ${words.many.toLowerCase()} yet`}
          action={!search && create}
        >
          {search ? "Try a shorter search." : words.about}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
          {terms.items?.map((term) => (
            <TermRow key={term.id} term={term} onAct={(what) => setOpen({ what, term })} />
          ))}
        </ul>
      )}
      <LoadMore query={terms} />
      {open?.what === "create" && <TermDialog kind={kind} onClose={close} />}
      {open?.what === "edit" && <TermDialog kind={kind} term={open.term} onClose={close} />}
      {open?.what === "merge" && <MergeDialog term={open.term} onClose={close} />}
      {open?.what === "delete" && (
        <ConfirmDialog
          open
          onOpenChange={close}
          title={`Delete “${open.term.name}”?`}
          action={`Delete ${words.one}`}
          onConfirm={async () => {
            await remove.mutateAsync({ websiteId: website.id, termId: open.term.id });
            toast.ok(`“${open.term.name}” deleted.`);
          }}
        >
          {open.term.postCount > 0
            ? `It is removed from ${plural(open.term.postCount, "post")}. To move them to another ${words.one}, merge it instead.`
            : "No post uses it."}{" "}
          This cannot be undone.
        </ConfirmDialog>
      )}
    </Page>
  );
}
