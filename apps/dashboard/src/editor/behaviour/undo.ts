import { Extension } from "@tiptap/core";
import { dropCursor } from "@tiptap/pm/dropcursor";
import { gapCursor } from "@tiptap/pm/gapcursor";
import { history, redo, undo } from "@tiptap/pm/history";

export const Undo = Extension.create({
  name: "undo",
  addProseMirrorPlugins: () => [history()],
  addKeyboardShortcuts() {
    const run = (command: typeof undo) => () => command(this.editor.state, this.editor.view.dispatch);
    return { "Mod-z": run(undo), "Mod-Shift-z": run(redo), "Mod-y": run(redo) };
  },
});

/** Shows where something dropped would land, and lets the cursor stand where there is no text. */
export const Cursors = Extension.create({
  name: "cursors",
  addProseMirrorPlugins: () => [dropCursor({ class: "drop-cursor", color: false, width: 2 }), gapCursor()],
});
