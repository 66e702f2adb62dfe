import { Extension } from "@tiptap/core";
import type { Editor } from "@tiptap/core";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import type { EditorState } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import type { BodyEditorProps } from "../body-editor-props.ts";
import { editorSlot } from "./editor-slot.ts";
import { goOnBelow } from "./go-on-below.ts";

type Upload = Pick<BodyEditorProps, "onImageUpload" | "onUploadProblem">;
type Change = { readonly add: { readonly id: object; readonly pos: number; readonly name: string } } | { readonly remove: object };

const key = new PluginKey<DecorationSet>("uploads");

/** Who takes the files of an editor. */
export const uploaders = editorSlot<Upload>();

/** Images that are dropped or pasted are uploaded; until they are there, a place is held that is no part of the text. */
export const Uploads = Extension.create({
  name: "uploads",
  addProseMirrorPlugins() {
    const { editor } = this;
    const start = (files: FileList | undefined, pos: number | null): boolean => {
      const images = [...(files ?? [])].filter(({ type }) => type.startsWith("image/"));
      if (images.length === 0 || !editor.isEditable) return false;
      uploadImages(editor, images, pos);
      return true;
    };
    return [
      new Plugin<DecorationSet>({
        key,
        state: {
          init: () => DecorationSet.empty,
          apply: (tr, before) => {
            const set = before.map(tr.mapping, tr.doc);
            const change = tr.getMeta(key) as Change | undefined;
            if (change === undefined) return set;
            if ("remove" in change) return set.remove(set.find(undefined, undefined, (spec) => spec["id"] === change.remove));
            const { id, pos, name } = change.add;
            return set.add(tr.doc, [Decoration.widget(pos, () => placeholder(name), { id, side: -1 })]);
          },
        },
        props: {
          decorations: (state) => key.getState(state),
          handlePaste: (_view, event) => {
            // Copied from a page or a document, the text is wanted, not a picture of it.
            if (event.clipboardData?.types.includes("text/html") === true && event.clipboardData.getData("text/plain") !== "") return false;
            return start(event.clipboardData?.files, null);
          },
          handleDrop: (view, event, _slice, moved) =>
            !moved && start(event.dataTransfer?.files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? null),
        },
      }),
    ];
  },
});

export function uploadImages(editor: Editor, files: readonly File[], pos: number | null): void {
  const uploader = uploaders.get(editor);
  if (uploader === undefined) return;
  for (const file of files) {
    const id = {};
    const { tr, selection } = editor.state;
    editor.view.dispatch(tr.setMeta(key, { add: { id, pos: pos ?? selection.to, name: file.name } } satisfies Change));
    uploader.onImageUpload(file).then(
      ({ url, alt }) => finish(editor, id, { src: url, alt }),
      (error: unknown) => {
        finish(editor, id, null);
        uploader.onUploadProblem?.(error, file);
      },
    );
  }
}

function finish(editor: Editor, id: object, attrs: { readonly src: string; readonly alt: string } | null): void {
  if (editor.isDestroyed) return;
  const pos = placeOf(editor.state, id);
  const tr = editor.state.tr.setMeta(key, { remove: id } satisfies Change);
  if (attrs !== null && pos !== null) {
    const image = editor.schema.nodes["image"]!.create(attrs);
    const $pos = tr.doc.resolve(pos);
    // In code there is no place for an image: it goes after the block.
    if ($pos.parent.inlineContent && $pos.parent.type.spec.code !== true) goOnBelow(tr.insert(pos, image), pos + image.nodeSize);
    else tr.insert($pos.depth === 0 ? pos : $pos.after(1), editor.schema.nodes["paragraph"]!.create(null, image));
  }
  editor.view.dispatch(tr);
}

function placeOf(state: EditorState, id: object): number | null {
  return key.getState(state)?.find(undefined, undefined, (spec) => spec["id"] === id)[0]?.from ?? null;
}

function placeholder(name: string): HTMLElement {
  const element = document.createElement("span");
  element.className = "uploading";
  element.setAttribute("role", "status");
  element.textContent = `Uploading ${name}…`;
  return element;
}

/** Lets the writer choose images of their device. */
export function chooseImages(editor: Editor): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = "image/*";
  input.multiple = true;
  input.addEventListener("change", () => uploadImages(editor, [...(input.files ?? [])], null));
  input.click();
}
