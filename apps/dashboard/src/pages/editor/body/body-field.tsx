import {
  type ComponentProps,
  lazy,
  type Ref,
  Suspense,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { uploadMedia } from "../../../api/upload.ts";
import type { BodyEditorHandle, OutlineHeading } from "../../../editor/body-editor-props.ts";
import { LeaveGuard } from "../../../ui/leave-guard.tsx";
import { Skeleton } from "../../../ui/spinner.tsx";
import { useEditorPage } from "../editor-context.tsx";
import { usePickImage } from "../media-picker/use-pick-image.tsx";
import { loadBodyEditor } from "./load-body-editor.ts";

const BodyEditor = lazy(() => loadBodyEditor().then((module) => ({ default: module.BodyEditor })));

/** The text itself. Its editor was loaded with the post, and is told when the text changed under it. */
export function BodyField({
  onOutline,
  onWordCount,
  ref,
}: {
  onOutline: (headings: readonly OutlineHeading[]) => void;
  onWordCount: (words: number) => void;
  ref: Ref<BodyEditorHandle | null>;
}) {
  const { autosave, at, bodyEpoch, readOnly } = useEditorPage();
  const editor = useRef<BodyEditorHandle>(null);
  // Read again with every epoch: the text may change from outside while its editor is still being loaded.
  // oxlint-disable-next-line react-hooks/exhaustive-deps
  const initial = useMemo(() => autosave.body(), [autosave, bodyEpoch]);
  const { pick, dialog } = usePickImage();
  const [uploading, setUploading] = useState(0);
  const upload: ComponentProps<typeof BodyEditor>["onImageUpload"] = async (file, options) => {
    setUploading((count) => count + 1);
    try {
      return await uploadMedia(at.websiteId, file, options);
    } finally {
      setUploading((count) => count - 1);
    }
  };
  useImperativeHandle(ref, () => editor.current as BodyEditorHandle);
  // Before the editor's elements are taken away: a text is never asked of an editor that is gone.
  useLayoutEffect(() => () => autosave.readBodyNow(), [autosave]);
  const shown = useRef(bodyEpoch);
  useEffect(() => {
    if (shown.current === bodyEpoch) return;
    shown.current = bodyEpoch;
    editor.current?.setMarkdown(autosave.body());
  }, [bodyEpoch, autosave]);
  return (
    <Suspense
      fallback={
        <div className="flex flex-col gap-3 pt-2">
          <Skeleton className="h-5 w-full" />
          <Skeleton className="h-5 w-11/12" />
          <Skeleton className="h-5 w-4/5" />
        </div>
      }
    >
      <BodyEditor
        ref={editor}
        initialMarkdown={initial}
        readOnly={readOnly !== null}
        onChange={(markdown) => autosave.changeBody(markdown)}
        onOutline={onOutline}
        onWordCount={onWordCount}
        onPickImage={async () => {
          const picked = await pick();
          return picked && { url: picked.media.url, alt: picked.alt };
        }}
        onImageUpload={upload}
      />
      {dialog}
      <LeaveGuard when={uploading > 0} without={uploading === 1 ? "the image" : "the images"}>
        {uploading === 1
          ? "An image is still uploading. If you leave now, it goes to Media but not into the text."
          : "Images are still uploading. If you leave now, they go to Media but not into the text."}
      </LeaveGuard>
    </Suspense>
  );
}
