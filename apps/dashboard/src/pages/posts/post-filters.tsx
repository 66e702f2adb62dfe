import type { TermKind } from "@stet/contract";
import { useIsFetching } from "@tanstack/react-query";
import { ChevronDown, ListFilter, X } from "lucide-react";
import { useState } from "react";
import { useOp } from "../../api/hooks.ts";
import { cn } from "../../lib/cn.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { Checkbox, Select } from "../../ui/inputs.tsx";
import { Popover } from "../../ui/popover.tsx";
import { SearchInput } from "../../ui/search-input.tsx";
import { filterCount, type PostsSearch, type Sort, SORTS, withoutFilters } from "./posts-search.ts";
import { TermList } from "./term-list.tsx";
import { useTermNames } from "./use-term-names.ts";

const TERMS = { category: "Category", tag: "Tag", author: "Author" } as const satisfies Record<TermKind, string>;

/** Finds posts by title, narrows and sorts them. Everything stands in the address, so it can be kept and passed on. */
export function PostFilters({ search, onChange }: { search: PostsSearch; onChange: (next: PostsSearch) => void }) {
  const names = useTermNames([search.category, search.tag, search.author].filter((id) => id !== undefined));
  const isSearching = useIsFetching({ queryKey: ["list_posts", "pages"] }) > 0 && search.q !== undefined;
  const isNarrowed = filterCount(search) > 0 || search.q !== undefined;
  const find = (text: string) => {
    const { q: _, ...rest } = search;
    onChange(text ? { ...rest, q: text } : rest);
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <SearchInput
        label="Search by title"
        value={search.q ?? ""}
        maxLength={200}
        isSearching={isSearching}
        className="w-full sm:w-60"
        onSearch={find}
      />
      {(["category", "tag", "author"] as const).map((kind) => (
        <TermFilter key={kind} kind={kind} search={search} name={names.get(search[kind] ?? "")} onChange={onChange} />
      ))}
      <MoreFilters search={search} onChange={onChange} />
      {isNarrowed && (
        <Button variant="ghost" size="sm" className="h-9" onClick={() => onChange(withoutFilters(search))}>
          <X aria-hidden /> Clear
        </Button>
      )}
      <Select
        aria-label="Sort by"
        className="w-auto sm:ml-auto"
        value={search.sort ?? "-editedAt"}
        onChange={(event) => {
          const { sort: _, ...rest } = search;
          const sort = event.target.value as Sort;
          onChange(sort === "-editedAt" ? rest : { ...rest, sort });
        }}
      >
        {Object.entries(SORTS).map(([sort, label]) => (
          <option key={sort} value={sort}>
            {label}
          </option>
        ))}
      </Select>
    </div>
  );
}

const chip = (on: boolean) => cn("max-w-52 font-normal", on && "border-accent/50 bg-accent-soft text-accent hover:bg-accent-soft");

function TermFilter({
  kind,
  search,
  name,
  onChange,
}: {
  kind: TermKind;
  search: PostsSearch;
  name: string | undefined;
  onChange: (next: PostsSearch) => void;
}) {
  const [open, setOpen] = useState(false);
  const chosenId = search[kind];
  const choose = (id: string | undefined) => {
    const { [kind]: _, ...rest } = search;
    onChange(id ? { ...rest, [kind]: id } : rest);
    setOpen(false);
  };
  return (
    <Popover
      label={`Filter by ${kind}`}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button className={chip(chosenId !== undefined)}>
          <span className="truncate">{chosenId ? `${TERMS[kind]}: ${name ?? "…"}` : TERMS[kind]}</span>
          <ChevronDown aria-hidden />
        </Button>
      }
    >
      <TermList kind={kind} chosenId={chosenId} onChoose={({ id }) => choose(id === chosenId ? undefined : id)} />
      {chosenId && (
        <Button variant="ghost" size="sm" className="mt-2 w-full" onClick={() => choose(undefined)}>
          Any {kind}
        </Button>
      )}
    </Popover>
  );
}

const FLAGS = {
  review: "Waiting for review",
  changes: "With unpublished changes",
  tool: "Last edited by an app",
} as const;

function MoreFilters({ search, onChange }: { search: PostsSearch; onChange: (next: PostsSearch) => void }) {
  const { workspace, session } = useWebsiteContext();
  const people = useOp(
    "list_people",
    { workspaceId: workspace.id, ...(search.owner && { userIds: [search.owner] }) },
    { keepPrevious: true },
  );
  const on = (["review", "changes", "tool", "owner"] as const).filter((key) => search[key] !== undefined).length;
  return (
    <Popover
      label="More filters"
      trigger={
        <Button className={chip(on > 0)}>
          <ListFilter aria-hidden /> {on > 0 ? `More filters: ${on}` : "More filters"}
        </Button>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        {(Object.keys(FLAGS) as (keyof typeof FLAGS)[]).map((flag) => (
          <label key={flag} className="flex items-center gap-2.5">
            <Checkbox
              checked={search[flag] === true}
              onCheckedChange={(checked) => {
                const { [flag]: _, ...rest } = search;
                onChange(checked === true ? { ...rest, [flag]: true } : rest);
              }}
            />
            {FLAGS[flag]}
          </label>
        ))}
        <label className="flex flex-col gap-1.5">
          <span className="font-medium">Owner</span>
          <Select
            value={search.owner ?? ""}
            onChange={(event) => {
              const { owner: _, ...rest } = search;
              onChange(event.target.value ? { ...rest, owner: event.target.value } : rest);
            }}
          >
            <option value="">Anyone</option>
            <option value={session.user.id}>You</option>
            {people.data
              ?.filter(({ userId }) => userId !== session.user.id)
              .map(({ userId, name, isMember }) => (
                <option key={userId} value={userId}>
                  {name}
                  {isMember ? "" : " (left)"}
                </option>
              ))}
          </Select>
        </label>
      </div>
    </Popover>
  );
}
