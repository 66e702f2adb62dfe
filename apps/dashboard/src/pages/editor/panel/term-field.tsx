import type { TermKind } from "@stet/contract";
import { useQueries } from "@tanstack/react-query";
import { Command } from "cmdk";
import { Check, Plus, X } from "lucide-react";
import { useState } from "react";
import { opOptions, useAct } from "../../../api/hooks.ts";
import { useTermSearch } from "../../../api/use-term-search.ts";
import type { ContentKey } from "../../../autosave/content.ts";
import { aKind } from "../../../lib/term-kinds.ts";
import { Button } from "../../../ui/button.tsx";
import { Popover } from "../../../ui/popover.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useEditorPage } from "../editor-context.tsx";

const FIELD = { category: "categoryIds", tag: "tagIds", author: "authorIds" } as const satisfies Record<TermKind, ContentKey>;

interface TermFieldProps {
  readonly kind: TermKind;
  readonly label: string;
}

/** Those that are chosen, and the way to change them: on top of what is chosen by then, for a new one is made while others are ticked. */
function useTermIds(kind: TermKind) {
  const { content, autosave } = useEditorPage();
  const change = (next: (ids: readonly string[]) => string[]) =>
    autosave.change({ [FIELD[kind]]: next(autosave.snapshot().content[FIELD[kind]]) });
  return {
    ids: content[FIELD[kind]],
    add: (id: string) => change((ids) => [...ids.filter((each) => each !== id), id]),
    remove: (id: string) => change((ids) => ids.filter((each) => each !== id)),
  };
}

/** Several of a kind: chosen ones as chips, the others by search, new ones where the role allows. */
export function TermField({ kind, label }: TermFieldProps) {
  const { at, readOnly } = useEditorPage();
  const { ids, remove } = useTermIds(kind);
  const named = useQueries({ queries: ids.map((termId) => opOptions("get_term", { websiteId: at.websiteId, termId })) });
  const disabled = readOnly !== null;
  return (
    <div role="group" aria-label={label} className="flex flex-col gap-2">
      <div className="flex items-center justify-between">
        <p className="text-sm font-medium">{label}</p>
        {!disabled && <Picker kind={kind} label={label} />}
      </div>
      {ids.length === 0 ? (
        <p className="text-[0.8125rem] text-muted">None yet.</p>
      ) : (
        <ul className="flex flex-wrap gap-1.5">
          {ids.map((id, index) => {
            const name = named[index]?.data?.name ?? (named[index]?.isError ? "Removed" : "…");
            return (
              <li key={id} className="inline-flex max-w-full items-center gap-1 rounded-full bg-hover py-0.5 pr-1 pl-2.5 text-[0.8125rem]">
                <span className="truncate">{name}</span>
                {!disabled && (
                  <button
                    type="button"
                    aria-label={`Remove ${name}`}
                    className="grid size-5 shrink-0 place-items-center rounded-full text-muted hover:bg-line hover:text-text"
                    onClick={({ currentTarget }) => {
                      nextButton(currentTarget)?.focus();
                      remove(id);
                    }}
                  >
                    <X aria-hidden className="size-3" />
                  </button>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** After a term is removed, the focus goes to the one beside it, or to the button that adds terms. */
function nextButton(removing: HTMLElement): HTMLElement | null {
  const chip = removing.closest("li");
  const beside = chip?.nextElementSibling ?? chip?.previousElementSibling ?? removing.closest("[role=group]");
  return beside?.querySelector("button") ?? null;
}

function Picker({ kind, label }: TermFieldProps) {
  const { at, context } = useEditorPage();
  const { ids, add, remove } = useTermIds(kind);
  const [open, setOpen] = useState(false);
  const { text, setText, name, found, isAnswered, isFailed } = useTermSearch(at.websiteId, kind, { limit: 50, enabled: open });
  const create = useAct("create_term", { stale: ["list_terms"], onError: toast.error });
  const mayCreate =
    context.may("term.create") && isAnswered && name !== "" && !found.some((term) => term.name.toLowerCase() === name.toLowerCase());
  const toggle = (id: string) => {
    // The next one can be typed at once.
    setText("");
    if (ids.includes(id)) remove(id);
    else add(id);
  };
  const make = async () => {
    setText("");
    try {
      add((await create.mutateAsync({ websiteId: at.websiteId, kind, name })).id);
    } catch {
      // To be tried again, unless the next one is typed by now.
      setText((now) => now || name);
    }
  };
  return (
    <Popover
      label={label}
      open={open}
      onOpenChange={setOpen}
      align="end"
      trigger={
        <Button size="sm" variant="ghost" aria-label={`Choose ${label.toLowerCase()}`}>
          <Plus aria-hidden />
          Choose
        </Button>
      }
    >
      <Command shouldFilter={false} label={label} className="-m-2">
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder={`Find${context.may("term.create") ? " or add" : ""} ${aKind(kind)}`}
          className="h-9 w-full rounded-control border border-line-strong/60 bg-surface px-3 text-sm outline-accent placeholder:text-muted"
        />
        <Command.List className="mt-2 max-h-60 overflow-y-auto">
          {found.map((term) => (
            <Command.Item
              key={term.id}
              value={term.id}
              onSelect={() => toggle(term.id)}
              className="flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-sm data-[selected=true]:bg-hover"
            >
              <span className="min-w-0 flex-1 truncate">{term.name}</span>
              {ids.includes(term.id) && <Check aria-label="chosen" className="size-4 text-accent" />}
            </Command.Item>
          ))}
          {mayCreate && (
            <Command.Item
              value="new"
              onSelect={() => void make()}
              className="flex cursor-pointer items-center gap-2 rounded-md px-2.5 py-1.5 text-sm data-[selected=true]:bg-hover"
            >
              <Plus aria-hidden className="size-4 shrink-0 text-muted" />
              <span className="truncate">Add “{name}”</span>
            </Command.Item>
          )}
          {found.length === 0 && !mayCreate && (
            <p className="px-2.5 py-2 text-sm text-muted">
              {isAnswered ? "No results." : isFailed ? `The ${label.toLowerCase()} could not be loaded.` : "Searching …"}
            </p>
          )}
        </Command.List>
      </Command>
    </Popover>
  );
}
