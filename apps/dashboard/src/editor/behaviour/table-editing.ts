import { Extension } from "@tiptap/core";
import { Plugin, TextSelection } from "@tiptap/pm/state";
import type { EditorState, Transaction } from "@tiptap/pm/state";
import { addRowAfter, goToNextCell, isInTable, tableEditing } from "@tiptap/pm/tables";

/** Moving and selecting in tables, and what Markdown asks of one: its first row is its head. */
export const TableEditing = Extension.create({
  name: "tableEditing",
  priority: 200,
  addProseMirrorPlugins: () => [
    tableEditing(),
    new Plugin({ appendTransaction: (transactions, _old, state) => headFirst(transactions, state) }),
  ],
  addKeyboardShortcuts() {
    const go = (direction: 1 | -1) => () => goToNextCell(direction)(this.editor.state, this.editor.view.dispatch);
    return {
      Tab: () => {
        if (!isInTable(this.editor.state)) return false;
        if (go(1)()) return true;
        addRowAfter(this.editor.state, this.editor.view.dispatch);
        return go(1)();
      },
      "Shift-Tab": go(-1),
      Enter: () => isInTable(this.editor.state) && (toRowBelow(this.editor.state, this.editor.view.dispatch) || go(1)() || true),
    };
  },
});

function headFirst(transactions: readonly Transaction[], state: EditorState): Transaction | null {
  if (!transactions.some(({ docChanged }) => docChanged)) return null;
  const { tableHeader, tableCell } = state.schema.nodes;
  let tr: Transaction | null = null;
  state.doc.descendants((table, pos) => {
    if (table.type.name !== "table") return !table.isTextblock;
    table.forEach((row, rowOffset, i) => {
      const type = i === 0 ? tableHeader! : tableCell!;
      row.forEach((cell, cellOffset) => {
        if (cell.type !== type) tr = (tr ?? state.tr).setNodeMarkup(pos + 1 + rowOffset + 1 + cellOffset, type, cell.attrs);
      });
    });
    return false;
  });
  return tr;
}

/** Enter goes to the cell below, as in a sheet. */
function toRowBelow(state: EditorState, dispatch: (tr: Transaction) => void): boolean {
  const { $from } = state.selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    if ($from.node(depth).type.name !== "tableRow") continue;
    const table = $from.node(depth - 1);
    const next = table.maybeChild($from.index(depth - 1) + 1);
    if (next === null) return false;
    const column = $from.index(depth);
    let pos = $from.after(depth) + 1;
    for (let i = 0; i < column; i++) pos += next.child(i).nodeSize;
    dispatch(state.tr.setSelection(TextSelection.near(state.doc.resolve(pos + 1))).scrollIntoView());
    return true;
  }
  return false;
}
