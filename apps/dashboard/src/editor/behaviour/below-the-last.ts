import { Extension } from "@tiptap/core";
import { NodeSelection, Plugin, Selection, TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

/** One goes on after these with Enter; below a table the cursor can stand anyway, and notes stay the last. */
const GOES_ON = new Set(["paragraph", "heading", "table", "footnote"]);

/** Below a callout, code or an embed that ends the text there is no line to write in: the arrow down or a click makes one. */
export const BelowTheLast = Extension.create({
  name: "belowTheLast",
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleKeyDown: (view, event) => {
          if (event.key !== "ArrowDown" || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey || event.isComposing)
            return false;
          return isAtEnd(view) && goBelow(view);
        },
        handleDOMEvents: {
          mousedown: (view, event) => {
            const last = view.dom.lastElementChild;
            if (event.target !== view.dom || last === null || event.clientY <= last.getBoundingClientRect().bottom || !goBelow(view))
              return false;
            event.preventDefault();
            view.focus();
            return true;
          },
        },
      },
    }),
  ],
});

function isAtEnd(view: EditorView): boolean {
  const { doc, selection } = view.state;
  if (selection instanceof NodeSelection) return selection.to === doc.content.size;
  return selection.empty && selection.$to.parent === Selection.atEnd(doc).$to.parent && view.endOfTextblock("down");
}

function goBelow(view: EditorView): boolean {
  const { doc, schema, tr } = view.state;
  const last = doc.lastChild;
  if (!view.editable || last === null || GOES_ON.has(last.type.name)) return false;
  const end = doc.content.size;
  tr.insert(end, schema.nodes["paragraph"]!.create());
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView());
  return true;
}
