import { wordDiff } from "@stet/markdown";
import { Download } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import type { ContentKey } from "../../../autosave/content.ts";
import type { Conflict } from "../../../autosave/save-state.ts";
import { asText } from "../../../lib/as-text.ts";
import { capital } from "../../../lib/format.ts";
import { POST_PART_NAMES } from "../../../lib/part-names.ts";
import { messageOf } from "../../../lib/problem.ts";
import { saveFile } from "../../../lib/save-file.ts";
import { useActorNames } from "../../../shell/use-actor-names.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-field.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DiffText } from "../../../ui/diff-text.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { TimeAgo } from "../../../ui/time-ago.tsx";
import { useEditorPage } from "../editor-context.tsx";

const labelOf = (key: ContentKey): string => capital(POST_PART_NAMES[key]);

/** Shows both texts side by side when two people changed the same fields. With any choice, neither text is lost. */
export function ConflictView({
  conflict,
  onMerge,
  onClose,
}: {
  conflict: Conflict;
  onMerge: (theirs: string) => void;
  /** To look at the page first; nothing is saved meanwhile. */
  onClose: () => void;
}) {
  const { autosave, content } = useEditorPage();
  const { theirs, keys } = conflict;
  const nameOf = useActorNames([theirs.editedBy]);
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<unknown>(null);
  const pairs = useMemo(
    () =>
      keys.map((key) => {
        const mine = key === "body" ? autosave.body() : asText(content[key]);
        return { key, mine, parts: wordDiff(asText(theirs.working[key]), mine) };
      }),
    [keys, autosave, content, theirs],
  );
  const choose = async (name: string, work: () => Promise<void>) => {
    setBusy(name);
    setError(null);
    try {
      await work();
    } catch (failure) {
      setError(failure);
    } finally {
      setBusy(null);
    }
  };
  const mineAsText = pairs.map(({ key, mine }) => (pairs.length > 1 ? `${labelOf(key)}\n\n${mine}` : mine)).join("\n\n");
  const who = nameOf(theirs.editedBy);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      width="xl"
      title="Two versions of the same text"
      description={
        autosave.recovery === "conflict"
          ? "This browser has unsaved changes, and the post was changed since. Nothing was overwritten."
          : "Someone changed the same text while you were writing. Nothing was overwritten. Choose which version to keep."
      }
      footer={
        <div className="flex w-full flex-wrap items-center gap-2">
          <Button size="sm" variant="ghost" onClick={() => saveFile("my-version.md", mineAsText, "text/markdown")}>
            <Download aria-hidden />
            Download yours
          </Button>
          <CopyButton value={mineAsText} label="Copy your version" />
          <div className="ml-auto flex flex-wrap gap-2">
            <Button busy={busy === "theirs"} disabled={busy !== null} onClick={() => void choose("theirs", autosave.takeTheirs)}>
              Use theirs
            </Button>
            {keys.includes("body") && (
              <Button
                disabled={busy !== null}
                onClick={() => {
                  onMerge(theirs.working.body);
                  void choose("merge", autosave.keepMine);
                }}
              >
                Merge by hand
              </Button>
            )}
            <Button
              variant="primary"
              busy={busy === "mine"}
              disabled={busy !== null}
              onClick={() => void choose("mine", autosave.keepMine)}
            >
              Keep mine
            </Button>
          </div>
        </div>
      }
    >
      <div className="flex flex-col gap-5">
        {error !== null && <Notice tone="danger">{messageOf(error)}</Notice>}
        {pairs.map(({ key, parts }) => (
          <section key={key} aria-label={labelOf(key)} className="flex flex-col gap-2">
            <h3 className="text-sm font-semibold">{labelOf(key)}</h3>
            <div className="grid gap-3 md:grid-cols-2">
              <Side title="Yours" note="on this page">
                <DiffText parts={parts} side="after" />
              </Side>
              <Side title={who === "You" ? "Yours, from another tab or device" : `Saved by ${who}`} note={<TimeAgo at={theirs.editedAt} />}>
                <DiffText parts={parts} side="before" />
              </Side>
            </div>
          </section>
        ))}
        <p className="text-[0.8125rem] text-muted">
          “Keep mine” and “Merge by hand” save your version; theirs stays in the history. “Use theirs” saves yours to the history first.
        </p>
      </div>
    </Dialog>
  );
}

function Side({ title, note, children }: { title: string; note: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col rounded-control border border-line bg-surface">
      <p className="flex items-baseline justify-between gap-2 border-b border-line px-3 py-2 text-sm">
        <span className="font-medium">{title}</span>
        <span className="text-[0.8125rem] text-muted">{note}</span>
      </p>
      {/* Long texts scroll by keyboard too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div tabIndex={0} role="region" aria-label={title} className="max-h-[46vh] overflow-y-auto px-3 py-2.5">
        {children}
      </div>
    </div>
  );
}
