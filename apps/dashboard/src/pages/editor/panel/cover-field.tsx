import { ImagePlus, Trash2 } from "lucide-react";
import { useRef } from "react";
import { flushSync } from "react-dom";
import { smallImage } from "../../../lib/small-image.ts";
import { Button } from "../../../ui/button.tsx";
import { Field } from "../../../ui/field.tsx";
import { Textarea } from "../../../ui/inputs.tsx";
import { useEditorPage } from "../editor-context.tsx";
import { usePickImage } from "../media-picker/use-pick-image.tsx";
import { useCover } from "./use-cover.ts";

export function CoverField() {
  const { content, autosave, readOnly } = useEditorPage();
  const cover = useCover(content.coverMediaId);
  const { pick, dialog } = usePickImage();
  const frame = useRef<HTMLDivElement>(null);
  const disabled = readOnly !== null;
  const choose = async () => {
    const picked = await pick();
    if (!picked) return;
    const { media, alt } = picked;
    // The image's own words, unless others were chosen for this post.
    autosave.change({ coverMediaId: media.id, coverAlt: alt === "" || alt === media.alt ? null : alt });
  };
  const remove = () => {
    flushSync(() => autosave.change({ coverMediaId: null, coverAlt: null }));
    // Where another can be chosen: the button that had the focus is gone.
    frame.current?.querySelector("button")?.focus();
  };
  return (
    <div ref={frame} className="flex flex-col gap-3">
      <p className="text-sm font-medium">Cover image</p>
      {content.coverMediaId === null ? (
        <button
          type="button"
          disabled={disabled}
          onClick={() => void choose()}
          className="flex h-28 w-full flex-col items-center justify-center gap-1.5 rounded-control border border-dashed border-line-strong/60 text-sm text-muted hover:bg-hover disabled:pointer-events-none disabled:opacity-60"
        >
          <ImagePlus aria-hidden className="size-5" />
          Add a cover
        </button>
      ) : (
        <>
          <div className="aspect-video overflow-hidden rounded-control border border-line bg-sunken">
            {cover?.deletedAt ? (
              <p className="p-4 text-sm text-muted">This image is in the trash. Choose another, or restore it under Media.</p>
            ) : (
              cover && <img src={smallImage(cover, 640)} alt={content.coverAlt ?? cover.alt} className="size-full object-cover" />
            )}
          </div>
          {!disabled && (
            <div className="flex gap-2">
              <Button size="sm" onClick={() => void choose()}>
                Change
              </Button>
              <Button size="sm" variant="ghost" onClick={remove}>
                <Trash2 aria-hidden />
                Remove
              </Button>
            </div>
          )}
          <div data-field="coverAlt">
            <Field label="Cover alt text" help="Describes the image for people who cannot see it.">
              {(control) => (
                <Textarea
                  {...control}
                  rows={2}
                  maxLength={500}
                  disabled={disabled}
                  placeholder={cover?.alt ?? ""}
                  value={content.coverAlt ?? ""}
                  onChange={(event) => autosave.change({ coverAlt: event.target.value === "" ? null : event.target.value })}
                />
              )}
            </Field>
          </div>
        </>
      )}
      {dialog}
    </div>
  );
}
