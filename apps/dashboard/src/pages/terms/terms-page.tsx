import type { TermKind } from "@stet/contract";
import { Link } from "@tanstack/react-router";
import { Merge, MoreHorizontal, Pencil, Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useAct, useOpPages } from "../../api/hooks.ts";
import type { Output } from "../../api/wire.ts";
import { plural } from "../../lib/format.ts";
import { usePlace } from "../../shell/place.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { More } from "../../ui/more.tsx";
import { Page } from "../../ui/page.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { toast } from "../../ui/toast.tsx";
import { aKind, KINDS } from "./kinds.ts";
import { MergeDialog } from "./merge-dialog.tsx";
import { TermDialog } from "./term-dialog.tsx";

export type Term = Output<"list_terms">["items"][number];
type Open = { what: "create" } | { what: "edit" | "merge" | "delete"; term: Term } | null;

export function TermsPage({ kind }: { kind: TermKind }) {
  const { website, may } = usePlace();
  const [search, setSearch] = useState("");
  const [open, setOpen] = useState<Open>(null);
  const words = KINDS[kind];
  const terms = useOpPages("list_terms", { websiteId: website.id, kind, limit: 50, ...(search && { nameContains: search }) });
  const remove = useAct("delete_term", { stale: ["list_terms"] });
  const close = () => setOpen(null);
  const create = may("term.create") && (
    <Button variant="primary" onClick={() => setOpen({ what: "create" })}>
      <Plus aria-hidden />
      New {words.one}
    </Button>
  );

  return (
    <Page title={words.many} description={words.about} actions={create}>
      <SearchInput label={`Find ${aKind(kind)}`} onSearch={setSearch} className="max-w-sm" />
      {terms.isPending ? (
        <Loading />
      ) : terms.isError ? (
        <ErrorState error={terms.error} onRetry={() => void terms.refetch()} />
      ) : terms.items?.length === 0 ? (
        <EmptyState
          icon={words.Icon}
          title={search ? `No ${words.one} has “${search}” in its name` : `No ${words.many.toLowerCase()} yet`}
          action={!search && create}
        >
          {search ? "Try fewer letters." : words.about}
        </EmptyState>
      ) : (
        <ul className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
          {terms.items?.map((term) => (
            <li key={term.id} className="flex items-center gap-3 px-4 py-3">
              <div className="min-w-0 flex-1">
                <p className="truncate font-medium">{term.name}</p>
                <p className="truncate text-[0.8125rem] text-muted">
                  /{term.slug}
                  {term.description && ` · ${term.description}`}
                </p>
              </div>
              <Link
                to="/s/$websiteId/posts"
                params={{ websiteId: website.id }}
                search={{ [kind]: term.id }}
                className="shrink-0 text-sm text-muted tabular-nums hover:text-text hover:underline"
              >
                {plural(term.postCount, "post")}
              </Link>
              {may("term.manage") && (
                <Menu
                  trigger={
                    <IconButton label={`Actions for ${term.name}`} size="sm">
                      <MoreHorizontal />
                    </IconButton>
                  }
                >
                  <MenuItem onSelect={() => setOpen({ what: "edit", term })}>
                    <Pencil aria-hidden /> Edit
                  </MenuItem>
                  {may("term.delete") && (
                    <>
                      <MenuItem onSelect={() => setOpen({ what: "merge", term })}>
                        <Merge aria-hidden /> Merge into another
                      </MenuItem>
                      <MenuSeparator />
                      <MenuItem danger onSelect={() => setOpen({ what: "delete", term })}>
                        <Trash2 aria-hidden /> Delete
                      </MenuItem>
                    </>
                  )}
                </Menu>
              )}
            </li>
          ))}
        </ul>
      )}
      <More query={terms} />
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
            toast.ok(`“${open.term.name}” was deleted.`);
          }}
        >
          {open.term.postCount > 0
            ? `${plural(open.term.postCount, "post")} will show it no more; they keep everything else. To move them to another ${words.one}, merge it instead.`
            : "No post has it."}{" "}
          This cannot be undone.
        </ConfirmDialog>
      )}
    </Page>
  );
}
