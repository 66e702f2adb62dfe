import type { Editor } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";

/** A bullet list whose items are tasks; tasks become plain items again. */
export function toggleTasks(editor: Editor): void {
  const inList = editor.isActive("bulletList");
  if (!inList) editor.chain().focus().toggleList("bulletList", "listItem").run();
  const { $from } = editor.state.selection;
  for (let depth = $from.depth; depth > 0; depth--) {
    if ($from.node(depth).type.name !== "listItem") continue;
    const list = $from.node(depth - 1);
    const isTask = list.content.content.every(({ attrs }) => attrs["checked"] !== null);
    const tr = editor.state.tr;
    list.forEach((_item, offset) => tr.setNodeAttribute($from.start(depth - 1) + offset, "checked", isTask ? null : false));
    editor.view.dispatch(tr);
    return;
  }
}

export function insertTable(editor: Editor): void {
  const cell = (type: string) => ({ type, content: [{ type: "paragraph" }] });
  const row = (type: string) => ({ type: "tableRow", content: [cell(type), cell(type), cell(type)] });
  const { from } = editor.state.selection;
  editor
    .chain()
    .focus()
    .insertContent({ type: "table", content: [row("tableHeader"), row("tableCell"), row("tableCell")] })
    .command(({ tr }) => {
      let at: number | null = null;
      tr.doc.nodesBetween(Math.max(0, from - 2), tr.doc.content.size, (node, pos) => {
        if (at === null && node.type.name === "tableHeader") at = pos;
      });
      if (at !== null) tr.setSelection(TextSelection.near(tr.doc.resolve(at + 1)));
      return true;
    })
    .run();
  goOnAfter(editor);
}

/** Puts a block with a view of its own in, and a line after it to go on writing. */
export function insertBlock(editor: Editor, block: { type: string; attrs?: Record<string, unknown>; content?: object[] }): void {
  editor.chain().focus().insertContent(block).run();
  goOnAfter(editor);
}

/** A text ends with a line to write in. */
function goOnAfter(editor: Editor): void {
  const { doc } = editor.state;
  if (doc.lastChild?.isTextblock !== true) {
    editor.view.dispatch(editor.state.tr.insert(doc.content.size, editor.schema.nodes["paragraph"]!.create()));
  }
}
