import { Extension } from "@tiptap/core";
import { Plugin } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";

/** Says what can be typed where nothing is yet: in an empty body, and in the empty line with the cursor. */
export const Placeholder = Extension.create<{ text: string }>({
  name: "placeholder",
  addOptions: () => ({ text: "" }),
  addProseMirrorPlugins() {
    const { editor } = this;
    const { text } = this.options;
    return [
      new Plugin({
        props: {
          decorations: ({ doc, selection }) => {
            const { $from, empty } = selection;
            const isEmptyBody = doc.childCount === 1 && doc.firstChild!.type.name === "paragraph" && doc.firstChild!.content.size === 0;
            const inEmptyLine = empty && $from.depth === 1 && $from.parent.type.name === "paragraph" && $from.parent.content.size === 0;
            if (!editor.isEditable || (!isEmptyBody && !inEmptyLine)) return null;
            const at = isEmptyBody ? 0 : $from.before();
            return DecorationSet.create(doc, [
              Decoration.node(at, at + 2, { class: "is-empty", "data-placeholder": isEmptyBody ? text : "Type / for blocks" }),
            ]);
          },
        },
      }),
    ];
  },
});
