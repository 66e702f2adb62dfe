import { Crop, Replace } from "lucide-react";
import { useState } from "react";
import { useAct, useOp } from "../../api/hooks.ts";
import type { Output } from "../../api/wire.ts";
import { formatBytes } from "../../lib/format.ts";
import { messageOf } from "../../lib/problem.ts";
import { smallImage } from "../../lib/small-image.ts";
import { useWebsiteContext } from "../../shell/website-context.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/confirm-dialog.tsx";
import { CopyField } from "../../ui/copy-field.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorState } from "../../ui/error-state.tsx";
import { Field } from "../../ui/field.tsx";
import { Input, Textarea } from "../../ui/inputs.tsx";
import { LeaveGuard } from "../../ui/leave-guard.tsx";
import { useLeaveQuestion } from "../../ui/leave-question.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Loading } from "../../ui/spinner.tsx";
import { TimeAgo } from "../../ui/time-ago.tsx";
import { toast } from "../../ui/toast.tsx";
import { ImageEditor } from "./edit/image-editor.tsx";
import { ReplaceDialog } from "./replace/replace-dialog.tsx";
import { UsedIn, usesOf } from "./used-in.tsx";

type Media = Output<"get_media">;

/** One image: its alt text, its name, and the posts that use it. */
export function MediaDialog({ mediaId, onClose }: { mediaId: string; onClose: () => void }) {
  const { website } = useWebsiteContext();
  // The image on which something is being changed: one that comes meanwhile, with a change by another person, would replace the typed text.
  const [touched, setTouched] = useState<Media | null>(null);
  const isTouched = touched !== null;
  const [isEditing, setEditing] = useState(false);
  const media = useOp("get_media", { websiteId: website.id, mediaId }, { enabled: !isTouched });
  const shown = touched ?? media.data;
  const onTouched = (is: boolean) => setTouched((now) => (is ? (now ?? shown ?? null) : null));
  const { leave, question } = useLeaveQuestion(isTouched, onClose);
  return (
    <Dialog open onOpenChange={leave} title={shown?.filename ?? "Image"} width="lg" footer={question}>
      <LeaveGuard when={isTouched} />
      {!shown ? (
        media.error ? (
          <ErrorState error={media.error} onRetry={() => void media.refetch()} />
        ) : (
          <Loading />
        )
      ) : isEditing ? (
        <ImageEditor media={shown} onTouched={onTouched} onClose={() => setEditing(false)} />
      ) : (
        <Details key={shown.version} media={shown} onTouched={onTouched} onEdit={() => setEditing(true)} onClose={onClose} />
      )}
    </Dialog>
  );
}

function Details({
  media,
  onTouched,
  onEdit,
  onClose,
}: {
  media: Media;
  onTouched: (touched: boolean) => void;
  onEdit: () => void;
  onClose: () => void;
}) {
  const { website, may } = useWebsiteContext();
  const [version, setVersion] = useState(media.version);
  const [alt, setAlt] = useState(media.alt);
  const [filename, setFilename] = useState(media.filename);
  const [confirming, setConfirming] = useState<"trash" | "removal" | "replacement" | null>(null);
  const stale = ["list_media", "get_media", "get_usage"] as const;
  const edit = useAct("edit_media", {
    stale,
    onSuccess: (saved) => {
      // Whoever types on before the image is loaded again goes on from what was just saved.
      setVersion(saved.version);
      onTouched(false);
      toast.ok("Image saved.");
    },
  });
  const restore = useAct("restore_media", { stale, onSuccess: () => toast.ok("Image restored."), onError: toast.error });
  const trash = useAct("delete_media", { stale });
  const remove = useAct("purge_media", { stale: ["list_media", "get_usage"] });
  const here = { websiteId: website.id, mediaId: media.id };
  const mayEdit = may("media.manage") && !media.deletedAt;
  const changed = alt !== media.alt || filename !== media.filename;
  const address = new URL(media.shownUrl, window.location.origin).href;

  return (
    <div className="grid grid-cols-1 gap-6 md:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)]">
      <div className="flex flex-col gap-3">
        <div className="grid min-h-40 place-items-center overflow-hidden rounded-control border border-line bg-sunken">
          {media.deletedAt ? (
            <p className="p-6 text-center text-sm text-muted">In the trash. Restore it to show it again.</p>
          ) : (
            <img src={smallImage(media, 960)} alt={media.alt} className="max-h-[50vh] object-contain" />
          )}
        </div>
        <p className="text-[0.8125rem] text-muted">
          {media.width} × {media.height}
          {media.edit ? " as uploaded" : ""} · {formatBytes(media.bytes)} · {media.contentType.replace("image/", "").toUpperCase()} ·{" "}
          <TimeAgo at={media.createdAt} />
        </p>
        {mayEdit && (
          <div className="flex flex-wrap gap-2">
            <Button size="sm" disabled={changed} title={changed ? "Save your changes first" : undefined} onClick={onEdit}>
              <Crop aria-hidden />
              Edit image
            </Button>
            {may("media.replace") && (
              <Button
                size="sm"
                disabled={changed}
                title={changed ? "Save your changes first" : undefined}
                onClick={() => setConfirming("replacement")}
              >
                <Replace aria-hidden />
                Replace …
              </Button>
            )}
          </div>
        )}
        {!media.deletedAt && <CopyField label="address of the image" value={address} />}
      </div>
      <form
        className="flex flex-col gap-4"
        onChange={() => onTouched(true)}
        onSubmit={(event) => {
          event.preventDefault();
          edit.mutate({ ...here, expectedVersion: version, alt, filename });
        }}
      >
        <Field
          label="Alt text"
          error={edit.error?.fieldError("alt")}
          help="Describes the image for people who cannot see it. Leave it empty only for decoration."
        >
          {(control) => <Textarea {...control} disabled={!mayEdit} value={alt} onChange={(event) => setAlt(event.target.value)} />}
        </Field>
        <Field label="File name" error={edit.error?.fieldError("filename")}>
          {(control) => <Input {...control} disabled={!mayEdit} value={filename} onChange={(event) => setFilename(event.target.value)} />}
        </Field>
        {edit.error && edit.error.errors.length === 0 && <Notice tone="danger">{messageOf(edit.error)}</Notice>}
        <UsedIn use={media.usedIn} />
        <div className="flex flex-wrap gap-2">
          {mayEdit && (
            <Button variant="primary" type="submit" disabled={!changed} busy={edit.isPending}>
              Save
            </Button>
          )}
          {may("media.delete") &&
            (media.deletedAt ? (
              <>
                <Button busy={restore.isPending} onClick={() => restore.mutate(here)}>
                  Restore
                </Button>
                <Button variant="danger-outline" onClick={() => setConfirming("removal")}>
                  Delete permanently
                </Button>
              </>
            ) : (
              <Button variant="danger-outline" onClick={() => setConfirming("trash")}>
                Move to trash
              </Button>
            ))}
        </div>
      </form>
      {confirming === "replacement" && <ReplaceDialog media={media} onClose={() => setConfirming(null)} />}
      <ConfirmDialog
        open={confirming === "removal"}
        onOpenChange={() => setConfirming(null)}
        title={`Delete “${media.filename}” permanently?`}
        action="Delete permanently"
        onConfirm={async () => {
          await remove.mutateAsync(here);
          toast.ok(`Deleted “${media.filename}”. ${formatBytes(media.bytes)} freed.`);
          onClose();
        }}
      >
        Links to it stop working. This cannot be undone.
      </ConfirmDialog>
      <ConfirmDialog
        open={confirming === "trash"}
        onOpenChange={() => setConfirming(null)}
        title={`Move “${media.filename}” to the trash?`}
        action="Move to trash"
        onConfirm={async () => {
          await trash.mutateAsync({ ...here, evenIfUsed: true });
          toast.ok(`“${media.filename}” is in the trash for 30 days.`, { label: "Undo", run: () => restore.mutate(here) });
          onClose();
        }}
      >
        {media.usedIn.postCount + media.usedIn.authors.length > 0 ? (
          <>It is in use: {usesOf(media.usedIn)}. Readers will see a missing image there.</>
        ) : (
          "It is not used anywhere."
        )}
      </ConfirmDialog>
    </div>
  );
}
