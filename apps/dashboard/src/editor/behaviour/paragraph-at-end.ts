import { Extension } from "@tiptap/core";
import { NodeSelection, Plugin, Selection, TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";

/** Blocks that need no help: Enter leaves them, a cursor can be below a table anyway, and footnotes stay the last. */
const NEEDS_NO_PARAGRAPH = new Set(["paragraph", "heading", "table", "footnote"]);

/** Adds a paragraph below a callout, code or an embed that ends the text, on arrow down or a click: there is no line to write in. */
export const ParagraphAtEnd = Extension.create({
  name: "paragraphAtEnd",
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        handleKeyDown: (view, event) => {
          if (event.key !== "ArrowDown" || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey || event.isComposing)
            return false;
          return isAtEnd(view) && addParagraph(view);
        },
        handleDOMEvents: {
          mousedown: (view, event) => {
            const last = view.dom.lastElementChild;
            if (event.target !== view.dom || last === null || event.clientY <= last.getBoundingClientRect().bottom || !addParagraph(view))
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

function addParagraph(view: EditorView): boolean {
  const { doc, schema, tr } = view.state;
  const last = doc.lastChild;
  if (!view.editable || last === null || NEEDS_NO_PARAGRAPH.has(last.type.name)) return false;
  const end = doc.content.size;
  tr.insert(end, schema.nodes["paragraph"]!.create());
  view.dispatch(tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView());
  return true;
}
