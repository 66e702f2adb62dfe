import { Extension } from "@tiptap/core";
import type { Editor } from "@tiptap/core";
import { Plugin, PluginKey } from "@tiptap/pm/state";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { toast } from "../../ui/toast.tsx";
import type { BodyEditorProps, BodyImage } from "../body-editor-props.ts";
import { editorSlot } from "./editor-slot.ts";
import { moveBelowImage } from "./move-below-image.ts";
import { uploadCard } from "./upload-card.ts";

/** A card is known by itself. */
type Change = { readonly add: HTMLElement; readonly pos: number } | { readonly remove: HTMLElement };

const key = new PluginKey<DecorationSet>("uploads");

/** Who takes the files of an editor. */
export const uploaders = editorSlot<BodyEditorProps["onImageUpload"]>();

/** Images that are dropped or pasted are uploaded; until they are there, a place is held that is no part of the text. */
export const Uploads = Extension.create({
  name: "uploads",
  onTransaction({ editor, transaction }) {
    if (transaction.docChanged && ["paste", "drop"].includes(String(transaction.getMeta("uiEvent")))) uploadInlineImages(editor);
  },
  addProseMirrorPlugins() {
    const { editor } = this;
    const start = (files: FileList | undefined, pos: number | null, isDropped = false): boolean => {
      const images = [...(files ?? [])].filter(({ type }) => type.startsWith("image/"));
      if (images.length === 0 || !editor.isEditable) return false;
      uploadImages(editor, images, isDropped && pos !== null ? besideTheWords(editor, pos) : pos);
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
            if ("remove" in change) return set.remove(set.find(undefined, undefined, (spec) => spec["card"] === change.remove));
            const { add: card, pos } = change;
            // What is done in the card is not done to the text.
            return set.add(tr.doc, [Decoration.widget(pos, card, { card, side: -1, stopEvent: () => true, ignoreSelection: true })]);
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
            !moved && start(event.dataTransfer?.files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? null, true),
        },
      }),
    ];
  },
});

/** `pos` is where they were dropped; without, they go to the cursor. */
function uploadImages(editor: Editor, files: readonly File[], pos: number | null): void {
  const upload = uploaders.get(editor);
  if (upload === undefined) return;
  const places = placesFor(editor, pos ?? editor.state.selection.to, files.length);
  files.forEach((file, i) => editor.view.dispatch(holdPlace(editor, editor.state.tr, file, upload, places[i]!)));
}

function holdPlace(editor: Editor, tr: Transaction, file: File, upload: BodyEditorProps["onImageUpload"], pos: number): Transaction {
  const card: HTMLElement = uploadCard(file, upload, {
    arrived: (image) => finish(editor, card, image),
    gone: () => {
      finish(editor, card, null);
      editor.view.focus();
    },
  });
  return tr.setMeta(key, { add: card, pos } satisfies Change);
}

/** Images that came inside of pasted text, as `data:` addresses, are uploaded like files, and a place is held where they stood. */
function uploadInlineImages(editor: Editor): void {
  const upload = uploaders.get(editor);
  const inline: { pos: number; file: File | null; size: number }[] = [];
  editor.state.doc.descendants((node, pos) => {
    const src = String(node.attrs["src"]);
    if (node.type.name === "image" && src.startsWith("data:")) inline.push({ pos, file: fileFrom(src), size: node.nodeSize });
  });
  if (inline.some(({ file }) => file === null))
    toast.error("An image could not be read and was not added. Drag its file into the text instead.");
  // From the end, so that the places of the others stay where they are.
  for (const { pos, file, size } of inline.toReversed()) {
    const tr = editor.state.tr.delete(pos, pos + size).setMeta("addToHistory", false);
    editor.view.dispatch(file === null || upload === undefined ? tr : holdPlace(editor, tr, file, upload, pos));
  }
}

function fileFrom(address: string): File | null {
  const [, type, subtype, base64] = /^data:(image\/([\w.+-]+));base64,([\w+/=\s]+)$/.exec(address) ?? [];
  if (type === undefined || base64 === undefined) return null;
  try {
    return new File([Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))], `pasted.${subtype}`, { type });
  } catch {
    // Cut off on its way, or never was one.
    return null;
  }
}

/** A hand that drops aims at a line, not between two letters: the image gets a paragraph before or after the words, whichever is nearer. */
function besideTheWords(editor: Editor, pos: number): number {
  const { doc, schema, tr } = editor.state;
  const $pos = doc.resolve(pos);
  const { parent } = $pos;
  const type = schema.nodes["paragraph"]!;
  if (!parent.isTextblock || parent.content.size === 0 || parent.type.spec.code === true) return pos;
  const index = $pos.index(-1) + ($pos.parentOffset > parent.content.size / 2 ? 1 : 0);
  if (!$pos.node(-1).canReplaceWith(index, index, type)) return pos;
  const at = $pos.posAtIndex(index, -1);
  editor.view.dispatch(tr.insert(at, type.create()));
  return at + 1;
}

/** Of several images each gets a paragraph of its own, so that they stay in their order, whichever arrives first. */
function placesFor(editor: Editor, pos: number, count: number): number[] {
  const { doc, schema, tr } = editor.state;
  const $pos = doc.resolve(pos);
  const type = schema.nodes["paragraph"]!;
  const index = $pos.depth === 0 ? 0 : $pos.indexAfter(-1);
  if (count === 1 || $pos.depth === 0 || !$pos.node(-1).canReplaceWith(index, index, type)) return Array.from({ length: count }, () => pos);
  const below = $pos.after();
  const paragraphs = Array.from({ length: count - 1 }, () => type.create());
  editor.view.dispatch(tr.insert(below, paragraphs));
  return [pos, ...paragraphs.map((_, i) => below + 2 * i + 1)];
}

function finish(editor: Editor, card: HTMLElement, arrived: BodyImage | null): void {
  if (editor.isDestroyed) return;
  const pos = positionOf(editor.state, card);
  const tr = editor.state.tr.setMeta(key, { remove: card } satisfies Change);
  // The text around it was deleted, or another version of the text came in.
  if (arrived !== null && pos === null) toast.error("An image was uploaded, but its place in the text is gone. Add it from Media.");
  if (arrived !== null && pos !== null) {
    const image = editor.schema.nodes["image"]!.create({ src: arrived.url, alt: arrived.alt });
    const $pos = tr.doc.resolve(pos);
    // In code there is no place for an image: it goes after the block.
    if ($pos.parent.inlineContent && $pos.parent.type.spec.code !== true) moveBelowImage(tr.insert(pos, image), pos + image.nodeSize);
    else tr.insert($pos.depth === 0 ? pos : $pos.after(1), editor.schema.nodes["paragraph"]!.create(null, image));
  }
  editor.view.dispatch(tr);
}

function positionOf(state: EditorState, card: HTMLElement): number | null {
  return key.getState(state)?.find(undefined, undefined, (spec) => spec["card"] === card)[0]?.from ?? null;
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
