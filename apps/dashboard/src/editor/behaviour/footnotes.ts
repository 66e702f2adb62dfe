import { Extension } from "@tiptap/core";
import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { TextSelection } from "@tiptap/pm/state";

/** ⌘⌥F after a word begins a note to it; in the note, the same keys lead back to the word. */
export const Footnotes = Extension.create({
  name: "footnotes",
  addKeyboardShortcuts() {
    return { "Mod-Alt-f": () => backToReference(this.editor) || insertFootnote(this.editor) };
  },
});

/** A reference right after what is selected, and its note at the end, where the cursor goes. */
export function insertFootnote(editor: Editor): boolean {
  const { schema, doc, selection, tr } = editor.state;
  const { parent } = selection.$to;
  if (!editor.isEditable || !parent.inlineContent || parent.type.spec.code === true) return false;
  const label = nextLabel(doc);
  tr.insert(selection.to, schema.nodes["footnoteReference"]!.create({ label }));
  const end = tr.doc.content.size;
  tr.insert(end, schema.nodes["footnote"]!.create({ label }, schema.nodes["paragraph"]!.create()));
  tr.setSelection(TextSelection.near(tr.doc.resolve(end + 2))).scrollIntoView();
  editor.view.dispatch(tr);
  editor.view.focus();
  return true;
}

/** Those of notes and of what refers to them. */
export function footnoteLabels(doc: Node): ReadonlySet<string> {
  const labels = new Set<string>();
  doc.descendants(({ type, attrs }) => {
    if (type.name === "footnote" || type.name === "footnoteReference") labels.add(String(attrs["label"]));
  });
  return labels;
}

function nextLabel(doc: Node): string {
  const labels = footnoteLabels(doc);
  let number = 1;
  while (labels.has(String(number))) number++;
  return String(number);
}

/** From a note to behind the first reference to it; false when the cursor is in none. */
function backToReference(editor: Editor): boolean {
  const { doc, selection, tr } = editor.state;
  const { $from } = selection;
  const note = Array.from({ length: $from.depth + 1 }, (_, depth) => $from.node(depth)).findLast(({ type }) => type.name === "footnote");
  if (note === undefined) return false;
  let behind: number | null = null;
  doc.descendants((node, pos) => {
    if (behind === null && node.type.name === "footnoteReference" && node.attrs["label"] === note.attrs["label"])
      behind = pos + node.nodeSize;
  });
  if (behind !== null) editor.view.dispatch(tr.setSelection(TextSelection.create(doc, behind)).scrollIntoView());
  return true;
}
