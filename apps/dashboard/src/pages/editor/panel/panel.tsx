import { X } from "lucide-react";
import { Dialog, Tabs } from "radix-ui";
import type { ReactNode } from "react";
import type { OutlineHeading } from "../../../editor/body-editor-props.ts";
import { IconButton } from "../../../ui/button.tsx";
import type { Finding } from "../publish/use-checks.ts";
import { ChecksTab } from "./checks-tab.tsx";
import { HistoryTab } from "./history-tab.tsx";
import { OutlineTab } from "./outline-tab.tsx";
import { PostTab } from "./post-tab.tsx";
import { SeoTab } from "./seo-tab.tsx";
import type { PanelState, PanelTab } from "./use-panel.ts";

const TABS: readonly { readonly id: PanelTab; readonly label: string }[] = [
  { id: "post", label: "Post" },
  { id: "seo", label: "SEO" },
  { id: "outline", label: "Outline" },
  { id: "checks", label: "Checks" },
  { id: "history", label: "History" },
];

/** Everything about the post that is not its text. */
export function Panel({
  panel,
  outline,
  onHeading,
  onFinding,
}: {
  panel: PanelState;
  outline: readonly OutlineHeading[];
  onHeading: (id: string) => void;
  onFinding: (finding: Finding) => void;
}) {
  if (!panel.isOpen) return null;
  const content: Record<PanelTab, ReactNode> = {
    post: <PostTab />,
    seo: <SeoTab />,
    outline: (
      <OutlineTab
        outline={outline}
        onHeading={(id) => {
          if (!panel.isWide) panel.close();
          onHeading(id);
        }}
      />
    ),
    checks: <ChecksTab onGo={onFinding} />,
    history: <HistoryTab />,
  };
  const inside = (
    <Tabs.Root value={panel.tab} onValueChange={(tab) => panel.show(tab as PanelTab)} className="flex h-full min-h-0 flex-col">
      <div className="flex h-14 shrink-0 items-stretch justify-between border-b border-line pr-2 pl-2">
        <Tabs.List aria-label="About this post" className="flex min-w-0 overflow-x-auto">
          {TABS.map(({ id, label }) => (
            <Tabs.Trigger
              key={id}
              value={id}
              className="shrink-0 border-b-2 border-transparent px-2.5 text-[0.8125rem] text-muted hover:text-text outline-none focus-visible:bg-hover focus-visible:text-text data-[state=active]:border-accent data-[state=active]:font-medium data-[state=active]:text-text"
            >
              {label}
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {!panel.isWide && (
          <IconButton label="Close" className="self-center" onClick={panel.close}>
            <X />
          </IconButton>
        )}
      </div>
      {TABS.map(({ id }) => (
        <Tabs.Content key={id} value={id} className="min-h-0 flex-1 overflow-y-auto px-4 py-5 outline-none">
          {content[id]}
        </Tabs.Content>
      ))}
    </Tabs.Root>
  );
  if (panel.isWide) {
    return (
      <aside aria-label="About this post" className="fixed top-(--notice) right-0 bottom-0 z-31 w-[23rem] border-l border-line bg-surface">
        {inside}
      </aside>
    );
  }
  return (
    <Dialog.Root open onOpenChange={panel.close}>
      <Dialog.Portal>
        <Dialog.Content aria-describedby={undefined} className="fixed inset-0 z-40 bg-surface outline-none">
          <Dialog.Title className="sr-only">About this post</Dialog.Title>
          {inside}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
