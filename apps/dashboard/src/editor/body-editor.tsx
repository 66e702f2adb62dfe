import { Code, Rows3 } from "lucide-react";
import { useEffect, useImperativeHandle, useRef, useState } from "react";
import type { BodyEditorHandle, BodyEditorProps, BodyPart } from "./body-editor-props.ts";
import { PostBodyEditor } from "./post-body-editor.tsx";
import { SourceEditor } from "./source-editor.tsx";

type Mode = "blocks" | "source";

/**
 * The body as blocks or as Markdown, whichever the writer likes. Both stay in the page once they were shown, so that each
 * keeps its own undo; the text goes over when the view changes, and only if it differs.
 */
export function BodyEditor(props: BodyEditorProps & { readonly initialMode?: Mode; readonly onModeChange?: (mode: Mode) => void }) {
  const { ref, initialMode, onModeChange, onPreferSource, ...shared } = props;
  const [mode, setMode] = useState<Mode>(initialMode ?? "blocks");
  const [seen, setSeen] = useState<Partial<Record<Mode, string>>>({ [initialMode ?? "blocks"]: props.initialMarkdown });
  const blocks = useRef<BodyEditorHandle>(null);
  const source = useRef<BodyEditorHandle>(null);
  /** Where one goes on writing after a change of the view. */
  const position = useRef<BodyPart | null>(null);
  const handleOf = (which: Mode): BodyEditorHandle | null => (which === "blocks" ? blocks : source).current;
  const current = (): BodyEditorHandle | null => handleOf(mode);

  const show = (next: Mode): void => {
    if (next === mode) return;
    const markdown = current()?.getMarkdown() ?? props.initialMarkdown;
    position.current = current()?.position() ?? null;
    const other = handleOf(next);
    if (other === null) setSeen((before) => ({ ...before, [next]: markdown }));
    else other.setMarkdown(markdown);
    setMode(next);
    onModeChange?.(next);
  };

  const shown = useRef(mode);
  useEffect(() => {
    shown.current = mode;
    if (position.current !== null) handleOf(mode)?.goTo(position.current);
    position.current = null;
  });
  /** Who turns to the other view meanwhile gets the image there: a change of the hidden text would be taken for the newer one. */
  const uploadFrom =
    (from: Mode): BodyEditorProps["onImageUpload"] =>
    async (file, options) => {
      const image = await props.onImageUpload(file, options);
      if (image === null || shown.current === from) return image;
      handleOf(shown.current)?.insertImage(image);
      return null;
    };

  useImperativeHandle(ref, () => ({
    getMarkdown: () => current()?.getMarkdown() ?? props.initialMarkdown,
    setMarkdown: (markdown) => current()?.setMarkdown(markdown),
    focus: () => current()?.focus(),
    insertImage: (image) => current()?.insertImage(image),
    goTo: (part) => current()?.goTo(part),
    position: () => current()?.position() ?? null,
  }));

  return (
    <div className="body-editor">
      <div className="body-editor-views" role="group" aria-label="Editing mode">
        <button type="button" aria-pressed={mode === "blocks"} onClick={() => show("blocks")}>
          <Rows3 aria-hidden />
          Blocks
        </button>
        <button type="button" aria-pressed={mode === "source"} onClick={() => show("source")}>
          <Code aria-hidden />
          Markdown
        </button>
      </div>
      {seen.blocks !== undefined && (
        <div hidden={mode !== "blocks"}>
          <PostBodyEditor
            {...shared}
            onImageUpload={uploadFrom("blocks")}
            initialMarkdown={seen.blocks}
            ref={blocks}
            onPreferSource={() => {
              // Only when the body is opened: who turns to the blocks later wants to see them.
              if (initialMode === undefined && seen.source === undefined) show("source");
              onPreferSource?.();
            }}
          />
        </div>
      )}
      {seen.source !== undefined && (
        <div hidden={mode !== "source"}>
          <SourceEditor {...shared} onImageUpload={uploadFrom("source")} initialMarkdown={seen.source} ref={source} />
        </div>
      )}
    </div>
  );
}
