import { keepPreviousData, useIsFetching, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Command } from "cmdk";
import { FileText, Search } from "lucide-react";
import { Dialog } from "radix-ui";
import { useEffect, useState } from "react";
import { findPosts } from "../api/find-posts.ts";
import { opOptions } from "../api/hooks.ts";
import { restoreFocus } from "../lib/focus-history.ts";
import { StatusBadge } from "../ui/badge.tsx";
import { IconButton } from "../ui/button.tsx";
import { Kbd, MOD } from "../ui/kbd.tsx";
import { type CommandGroup, useCommands } from "./commands.ts";
import { matchesWords } from "./matches-words.ts";
import { useOptionalContext } from "./website-context.ts";

const OPEN = "stet:command-palette";

/** The palette listens to this: it stands once in the shell, and is opened from several places. */
const openCommandPalette = (): boolean => window.dispatchEvent(new Event(OPEN));

export function SearchButton({ compact = false, onOpen }: { compact?: boolean; onOpen?: () => void }) {
  const open = () => {
    onOpen?.();
    openCommandPalette();
  };
  if (compact) {
    return (
      <IconButton label="Search and commands" onClick={open}>
        <Search />
      </IconButton>
    );
  }
  return (
    <button
      type="button"
      onClick={open}
      className="flex h-9 items-center gap-2.5 rounded-control border border-line bg-surface px-2.5 text-sm text-muted hover:text-text"
    >
      <Search aria-hidden className="size-4" />
      <span className="flex-1 text-left">Search</span>
      <Kbd>{MOD}K</Kbd>
    </button>
  );
}

const item =
  "flex items-center gap-3 rounded-control px-3 py-2 text-sm data-[selected=true]:bg-hover data-[disabled=true]:opacity-50 [&_svg]:size-4 [&_svg]:text-muted";

/** ⌘K: every page, every command, and posts by their title. */
export function CommandPalette() {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const isSearching = useIsFetching({ queryKey: ["list_posts"] }) > 0;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.metaKey || event.ctrlKey) || event.defaultPrevented) return;
      event.preventDefault();
      setOpen((now) => !now);
      setText("");
    };
    const onOpen = () => setOpen(true);
    window.addEventListener("keydown", onKey);
    window.addEventListener(OPEN, onOpen);
    return () => {
      window.removeEventListener("keydown", onKey);
      window.removeEventListener(OPEN, onOpen);
    };
  }, []);

  const close = () => {
    setOpen(false);
    setText("");
  };
  return (
    <Dialog.Root open={open} onOpenChange={(next) => (next ? setOpen(true) : close())}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-overlay" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            restoreFocus();
          }}
          className="appear fixed inset-x-3 top-[12vh] z-50 mx-auto max-w-xl overflow-hidden rounded-card border border-line bg-raised shadow-raised outline-none"
        >
          <Dialog.Title className="sr-only">Search and commands</Dialog.Title>
          {/* What matches is decided here and by the server: the palette's own filter would judge a post by what was typed when it was first found. */}
          <Command label="Search and commands" shouldFilter={false} loop>
            <Command.Input
              value={text}
              onValueChange={setText}
              placeholder="Search posts, pages and commands …"
              className="h-12 w-full border-b border-line bg-transparent px-4 text-[0.9375rem] outline-none placeholder:text-muted"
            />
            <Command.List className="max-h-[52vh] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-8 text-center text-sm text-muted">
                {isSearching ? "Searching …" : "No results. Try a shorter search."}
              </Command.Empty>
              <Found text={text.trim()} onDone={close} />
            </Command.List>
          </Command>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

const group =
  "[&_[cmdk-group-heading]]:px-3 [&_[cmdk-group-heading]]:pt-2.5 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted";

/** Posts are listed second, because they arrive later: the first item, which Enter chooses, must not move. */
function Found({ text, onDone }: { text: string; onDone: () => void }) {
  const [first, ...others] = useCommands()
    .map(({ heading, commands }) => ({ heading, commands: commands.filter(({ label }) => matchesWords(`${heading} ${label}`, text)) }))
    .filter(({ commands }) => commands.length > 0);
  return (
    <>
      {first && <Commands {...first} onDone={onDone} />}
      <Posts text={text} onDone={onDone} />
      {others.map((each) => (
        <Commands key={each.heading} {...each} onDone={onDone} />
      ))}
    </>
  );
}

function Commands({ heading, commands, onDone }: CommandGroup & { onDone: () => void }) {
  return (
    <Command.Group heading={heading} className={group}>
      {commands.map(({ label, Icon, run }) => (
        <Command.Item
          key={label}
          value={`${heading} ${label}`}
          className={item}
          onSelect={() => {
            onDone();
            run();
          }}
        >
          <Icon aria-hidden />
          {label}
        </Command.Item>
      ))}
    </Command.Group>
  );
}

function Posts({ text, onDone }: { text: string; onDone: () => void }) {
  const { website } = useOptionalContext();
  const navigate = useNavigate();
  const websiteId = website?.website.id ?? "";
  const input = { websiteId, limit: 6, ...(text && { titleContains: text }) };
  const { data, isPlaceholderData } = useQuery({
    ...opOptions("list_posts", input),
    queryFn: ({ signal }) => findPosts(input, signal),
    enabled: websiteId !== "",
    placeholderData: keepPreviousData,
  });
  // While the answer is on its way, of those shown only what is sure to be in it: Enter must not open another.
  const posts = data?.items.filter(
    ({ working }) => !isPlaceholderData || working.title.toLocaleLowerCase().includes(text.toLocaleLowerCase()),
  );
  if (!website || !posts?.length) return null;
  return (
    <Command.Group heading="Posts" className={group}>
      {posts.map((post) => (
        <Command.Item
          key={post.id}
          value={post.id}
          className={item}
          onSelect={() => {
            onDone();
            void navigate({ to: "/s/$websiteId/posts/$postId", params: { websiteId, postId: post.id } });
          }}
        >
          <FileText aria-hidden />
          <bdi className="min-w-0 flex-1 truncate">{post.working.title.trim() || "Untitled"}</bdi>
          <StatusBadge status={post.status} />
        </Command.Item>
      ))}
    </Command.Group>
  );
}
