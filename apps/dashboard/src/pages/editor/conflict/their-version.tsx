import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-field.tsx";

/** The other person's text beside the editor, to copy parts of it by hand. */
export function TheirVersion({ text, onClose }: { text: string; onClose: () => void }) {
  return (
    <aside
      aria-label="Their version"
      className="flex max-h-[75vh] min-w-0 flex-col rounded-card border border-line bg-surface xl:sticky xl:top-[calc(4.5rem+var(--notice))]"
    >
      <header className="flex items-center justify-between gap-2 border-b border-line py-2 pr-2 pl-4">
        <h2 className="text-sm font-semibold">Their version</h2>
        <span className="flex items-center gap-1">
          <CopyButton value={text} label="Copy their version" />
          <Button size="sm" onClick={onClose}>
            Done merging
          </Button>
        </span>
      </header>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, also by keyboard */}
      <pre
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto px-4 py-3 font-sans text-[0.9375rem] leading-relaxed break-words whitespace-pre-wrap"
      >
        {text}
      </pre>
    </aside>
  );
}
