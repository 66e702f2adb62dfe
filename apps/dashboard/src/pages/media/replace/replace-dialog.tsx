import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { uploadMedia } from "../../../api/upload.ts";
import type { Output } from "../../../api/wire.ts";
import { plural } from "../../../lib/format.ts";
import { messageOf } from "../../../lib/problem.ts";
import { warnBeforeClose } from "../../../lib/warn-before-close.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { toast } from "../../../ui/toast.tsx";
import { usesOf } from "../used-in.tsx";
import { replaceEverywhere, type Replacement, undoReplacement } from "./replace-everywhere.ts";

type Media = Output<"get_media">;

/** A new file takes the place of an image in every post. The old image stays in the library. */
export function ReplaceDialog({ media, onClose }: { media: Media; onClose: () => void }) {
  const client = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const [progress, setProgress] = useState<string | null>(null);
  const preview = useObjectUrl(file);
  const uses = usesOf(media.usedIn);
  const refresh = () =>
    Promise.all(
      ["list_media", "get_media", "get_usage", "get_post", "list_posts"].map((name) => client.invalidateQueries({ queryKey: [name] })),
    );

  const replace = useMutation({
    mutationFn: async (chosen: File): Promise<Replacement> => {
      setProgress("Uploading");
      const { id } = await uploadMedia(media.websiteId, chosen, { alt: media.alt });
      if (id === media.id) throw new Error("This is the current image. Choose a different file.");
      const ids = { websiteId: media.websiteId, mediaId: media.id, byMediaId: id };
      setProgress("Replacing");
      return replaceEverywhere(ids, (posts) => setProgress(`Replaced in ${posts} of ${plural(media.usedIn.postCount, "post")}`));
    },
    onSuccess(done) {
      toast.ok(done.posts.length > 0 ? `Image replaced in ${plural(done.posts.length, "post")}.` : "Image replaced.", {
        label: "Undo",
        run: () => void undo(done),
      });
      if (done.skipped.length === 0) onClose();
    },
    onSettled() {
      setProgress(null);
      return refresh();
    },
  });
  async function undo(done: Replacement) {
    try {
      const { left } = await warnBeforeClose(undoReplacement(done));
      toast.ok(left > 0 ? `Undone, but ${plural(left, "post")} skipped. Restore a version in the history of the post.` : "Undone.");
    } catch (error) {
      toast.error(error);
    }
    await refresh();
  }

  const skipped = replace.data?.skipped ?? [];
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && !replace.isPending && onClose()}
      title={`Replace “${media.filename}”`}
      description={
        uses === "" ? "It is not used anywhere. The new image is added to the library." : `The new image takes its place in ${uses}.`
      }
      footer={
        <>
          <Button onClick={onClose} disabled={replace.isPending}>
            {replace.isSuccess ? "Close" : "Cancel"}
          </Button>
          {!replace.isSuccess && (
            <Button
              variant="primary"
              disabled={!file}
              busy={replace.isPending}
              onClick={() => file && void warnBeforeClose(replace.mutateAsync(file)).catch(() => {})}
            >
              Replace
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3 text-sm">
        <label className="flex flex-col gap-1.5 font-medium">
          New image
          <input
            type="file"
            accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
            disabled={replace.isPending || replace.isSuccess}
            className="block w-full rounded-control border border-line bg-surface p-2 font-normal text-text file:mr-3 file:rounded-control file:border-0 file:bg-hover file:px-3 file:py-1 file:text-text"
            onChange={(event) => setFile(event.target.files?.[0] ?? null)}
          />
        </label>
        {preview && <img src={preview} alt="Preview" className="max-h-48 self-start rounded-control border border-line object-contain" />}
        <p className="text-muted">
          Readers see it in published posts right away. Unpublished changes stay unpublished. The alt text is kept: check that it still
          fits. “{media.filename}” stays in the library.
        </p>
        {progress && (
          <p role="status" className="font-medium">
            {progress} …
          </p>
        )}
        {replace.error && <Notice tone="danger">{messageOf(replace.error)}</Notice>}
        {skipped.length > 0 && (
          <Notice tone="danger">Skipped: {skipped.map(({ label, id, message }) => `${label || id}: ${message}`).join(" ")}</Notice>
        )}
      </div>
    </Dialog>
  );
}

function useObjectUrl(file: File | null): string | null {
  const url = useMemo(() => file && URL.createObjectURL(file), [file]);
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url]);
  return url;
}
