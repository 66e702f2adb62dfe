import type { TermKind } from "@stet/contract";
import { Command } from "cmdk";
import { Check } from "lucide-react";
import { useTermSearch } from "../../api/use-term-search.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Spinner } from "../../ui/spinner.tsx";

const SHOWN = 20;
const PLURALS: Readonly<Record<TermKind, string>> = { category: "categories", tag: "tags", author: "authors" };

/** The categories, tags or authors of the website to choose one from; typing narrows them, on the server. */
export function TermList({
  kind,
  chosenId,
  onChoose,
}: {
  kind: TermKind;
  chosenId?: string | undefined;
  onChoose: (term: { id: string; name: string }) => void;
}) {
  const { website } = useWebsiteContext();
  const { text, setText, found, isAnswered, isFailed } = useTermSearch(website.id, kind, { limit: SHOWN });
  return (
    <Command label={`Choose from the ${PLURALS[kind]}`} shouldFilter={false} loop>
      <Command.Input
        value={text}
        onValueChange={setText}
        autoFocus
        placeholder={`Search ${PLURALS[kind]}`}
        className="mb-2 h-9 w-full rounded-control border border-line-strong/60 bg-surface px-3 text-sm placeholder:text-muted"
      />
      <Command.List className="max-h-64 overflow-y-auto">
        {found.length === 0 && !isAnswered && !isFailed && (
          <Command.Loading>
            <span className="flex justify-center py-4 text-muted">
              <Spinner />
            </span>
          </Command.Loading>
        )}
        {found.length === 0 && (isAnswered || isFailed) && (
          <p className="px-2.5 py-3 text-sm text-muted">
            {isFailed ? `The ${PLURALS[kind]} could not be loaded. Close this and try again.` : `No ${PLURALS[kind]} found.`}
          </p>
        )}
        {found.map(({ id, name, postCount }) => (
          <Command.Item
            key={id}
            value={id}
            onSelect={() => onChoose({ id, name })}
            className="flex items-center gap-2 rounded-md px-2.5 py-1.5 text-sm data-[selected=true]:bg-hover"
          >
            <span className="min-w-0 flex-1 truncate">{name}</span>
            {id === chosenId ? (
              <Check aria-hidden className="size-4 text-accent" />
            ) : (
              <span className="text-xs text-muted tabular-nums">{postCount}</span>
            )}
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  );
}
