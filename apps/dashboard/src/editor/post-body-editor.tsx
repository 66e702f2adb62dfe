import "./editor.css";
import "./blocks.css";
import "./media.css";
import "./menus.css";
import { EditorContent } from "@tiptap/react";
import type { Editor } from "@tiptap/react";
import { useEffect, useImperativeHandle, useState } from "react";
import { linkFormOpener } from "./behaviour/link-keys.ts";
import { moveBelowImage } from "./behaviour/move-below-image.ts";
import { chooseImages, uploaders } from "./behaviour/uploads.ts";
import type { BodyEditorProps } from "./body-editor-props.ts";
import { goToPart, positionOf } from "./go-to-part.ts";
import { slashItems } from "./menus/slash-items.ts";
import { SlashMenuList } from "./menus/slash-menu-list.tsx";
import { TableToolbar } from "./menus/table-toolbar.tsx";
import { TextToolbar } from "./menus/text-toolbar.tsx";
import { replaceBody } from "./replace-body.ts";
import { useBodyEditor } from "./use-body-editor.ts";

/** The body of a post as blocks. Load it lazily: it brings the editor with it. */
export function PostBodyEditor({ ref, ...props }: BodyEditorProps) {
  const [linking, setLinking] = useState(false);
  const [isNear, setNear] = useState(false);
  const { editor, session } = useBodyEditor(props);
  const { onPickImage, onImageUpload } = props;
  useEffect(() => {
    linkFormOpener.set(editor, () => setLinking(true));
    uploaders.set(editor, onImageUpload);
  }, [editor, onImageUpload]);
  useImperativeHandle(ref, () => ({
    getMarkdown: () => session().save(editor.state.doc),
    setMarkdown: (markdown) => replaceBody(editor, session(), markdown),
    // At once: the editor's own command waits for a frame, and the next key would go elsewhere.
    focus: () => editor.view.focus(),
    insertImage: (image) => insertImage(editor, image.url, image.alt),
    goTo: (part) => goToPart(editor, part),
    position: () => positionOf(editor.state),
  }));
  const pick = async (): Promise<void> => {
    const image = await onPickImage?.();
    if (image) insertImage(editor, image.url, image.alt);
  };
  const items = slashItems({ upload: () => chooseImages(editor), pick: onPickImage === undefined ? null : () => void pick() });

  return (
    <div
      role="presentation"
      className="post-body-editor"
      onFocus={({ target }) => setNear(target === editor.view.dom || target.closest(".editor-floating") !== null)}
      onBlur={({ currentTarget, relatedTarget }) => setNear((is) => is && currentTarget.contains(relatedTarget))}
      onKeyDown={(event) => {
        // As in other editors; Tab has its own work in lists and tables.
        if (event.key === "F10" && event.altKey) event.currentTarget.querySelector<HTMLElement>("[role=toolbar] button")?.focus();
      }}
    >
      <EditorContent editor={editor} />
      <SlashMenuList editor={editor} items={items} />
      <TextToolbar editor={editor} isNear={isNear} linking={linking} onLinking={setLinking} />
      <TableToolbar editor={editor} isNear={isNear} />
    </div>
  );
}

function insertImage(editor: Editor, src: string, alt: string): void {
  editor
    .chain()
    .focus()
    .insertContent({ type: "image", attrs: { src, alt } })
    .command(({ tr }) => {
      moveBelowImage(tr, tr.selection.from);
      return true;
    })
    .run();
}
