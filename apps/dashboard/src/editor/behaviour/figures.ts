import type { FigureWidth } from "@stet/markdown";
import { Extension } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection, Plugin, PluginKey } from "@tiptap/pm/state";
import { Decoration, DecorationSet } from "@tiptap/pm/view";
import { loneImage } from "../document/lone-image.ts";

const key = new PluginKey<DecorationSet>("figures");

/** Images that are alone in their paragraph are shown as wide as they say, with a field for their caption; Tab leads into it. */
export const Figures = Extension.create({
  name: "figures",
  // In a list Tab would indent the item.
  priority: 200,
  addKeyboardShortcuts() {
    return {
      Tab: () => {
        const { selection } = this.editor.state;
        if (!(selection instanceof NodeSelection) || selection.node.type.name !== "image") return false;
        const shown = this.editor.view.nodeDOM(selection.from);
        const fields = shown instanceof HTMLElement ? [...shown.querySelectorAll<HTMLElement>("textarea, input")] : [];
        const first = fields.find((field) => field.checkVisibility());
        first?.focus();
        return first !== undefined;
      },
    };
  },
  addProseMirrorPlugins: () => [
    new Plugin<DecorationSet>({
      key,
      state: {
        init: (_config, { doc }) => figuresOf(doc),
        apply: (tr, before) => (tr.docChanged ? figuresOf(tr.doc) : before),
      },
      props: { decorations: (state) => key.getState(state) },
    }),
  ],
});

interface Found {
  readonly pos: number;
  readonly size: number;
  readonly width: FigureWidth;
}
/** Blocks that were not touched were searched before, so that a key in a long text costs little. */
const searched = new WeakMap<Node, readonly Found[]>();

function figuresOf(doc: Node): DecorationSet {
  const decorations: Decoration[] = [];
  doc.forEach((block, offset) => {
    const found = searched.get(block) ?? figuresIn(block);
    searched.set(block, found);
    for (const { pos, size, width } of found) {
      const className = width === null ? "lone-image" : `lone-image is-${width}`;
      decorations.push(Decoration.node(offset + pos, offset + pos + size, { class: className }));
    }
  });
  return DecorationSet.create(doc, decorations);
}

/** Their places, counted from the start of the block at the top that they stand in. */
function figuresIn(block: Node): readonly Found[] {
  const found: Found[] = [];
  const look = (node: Node, pos: number): boolean => {
    // A cell of a table has no captions.
    if (node.type.name === "table") return false;
    const image = loneImage(node);
    if (image !== null) found.push({ pos, size: node.nodeSize, width: image.attrs["width"] as FigureWidth });
    return !node.isTextblock;
  };
  if (look(block, 0)) block.descendants((node, pos) => look(node, pos + 1));
  return found;
}
