import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { RevisionSummary } from "../../../api/answers.ts";
import { rpc } from "../../../api/rpc.ts";
import { formatDateTime } from "../../../lib/time.ts";
import { useActorNames } from "../../../shell/use-actor-names.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { DiffSections } from "../../../ui/diff-sections.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { Loading } from "../../../ui/spinner.tsx";
import { toast } from "../../../ui/toast.tsx";
import { useEditorPage } from "../editor-context.tsx";

/** Compares the text with an earlier version, word by word, and restores that version. */
export function RevisionDialog({ revision, onClose }: { revision: RevisionSummary; onClose: () => void }) {
  const { at, autosave, readOnly, post } = useEditorPage();
  const nameOf = useActorNames([revision.author]);
  const [busy, setBusy] = useState(false);
  // The version is part of the question: a later save is another comparison.
  const diff = useQuery({
    queryKey: ["diff_revisions", revision.id, post.version],
    queryFn: ({ signal }) => rpc("diff_revisions", { ...at, fromRevisionId: revision.id }, { signal }),
  });
  const restore = async () => {
    setBusy(true);
    try {
      // The current text becomes a version of its own, so that Undo has a version to restore.
      await autosave.save();
      const before = (await rpc("list_revisions", { ...at, limit: 1 })).items[0];
      const bring = (revisionId: string) =>
        autosave.runAction((expectedVersion) => rpc("restore_revision", { ...at, revisionId, expectedVersion }), { readAgain: true });
      await bring(revision.id);
      toast.ok("Version restored.", {
        label: "Undo",
        run: () => void (before && bring(before.id).then(() => toast.ok("Undone."), toast.error)),
      });
      onClose();
    } catch (error) {
      toast.error(error);
    } finally {
      setBusy(false);
    }
  };
  const isSame = diff.data && diff.data.title.length + diff.data.excerpt.length + diff.data.body.length + diff.data.fields.length === 0;
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      width="lg"
      title={`Version of ${formatDateTime(revision.at)}`}
      description={`By ${nameOf(revision.author) === "You" ? "you" : nameOf(revision.author)}. Changes since then are highlighted.`}
      footer={
        <>
          <Button onClick={onClose}>Close</Button>
          {readOnly === null && post.status !== "deleted" && (
            <Button variant="primary" busy={busy} disabled={isSame === true} onClick={() => void restore()}>
              Restore this version
            </Button>
          )}
        </>
      }
    >
      {diff.isPending ? (
        <Loading label="Comparing …" />
      ) : diff.isLoadingError ? (
        <ErrorState error={diff.error} onRetry={() => void diff.refetch()} />
      ) : isSame ? (
        <p className="text-sm text-muted">No changes since then.</p>
      ) : (
        <DiffSections diff={diff.data} />
      )}
    </Dialog>
  );
}
