import { InputRule, Node, wrappingInputRule } from "@tiptap/core";
import type { Editor } from "@tiptap/core";
import type { Transaction } from "@tiptap/pm/state";
import { findWrapping } from "@tiptap/pm/transform";

/** `tight` says that no blank lines stand between the items: readers then get no paragraphs in them. */
const TIGHT = { default: true, rendered: false } as const;

export const BulletList = Node.create({
  name: "bulletList",
  group: "block list",
  content: "listItem+",
  addAttributes: () => ({ tight: TIGHT, marker: { default: "-", rendered: false } }),
  parseHTML: () => [{ tag: "ul" }],
  renderHTML: () => ["ul", 0],
  addInputRules() {
    return [wrappingInputRule({ find: /^\s*([-+*])\s$/, type: this.type, getAttributes: (match) => ({ marker: match[1] }) })];
  },
  addKeyboardShortcuts() {
    return { "Mod-Shift-8": () => this.editor.commands.toggleList("bulletList", "listItem") };
  },
});

export const OrderedList = Node.create({
  name: "orderedList",
  group: "block list",
  content: "listItem+",
  addAttributes: () => ({
    tight: TIGHT,
    start: { default: 1, parseHTML: (element) => Number(element.getAttribute("start") ?? 1) || 1 },
    marker: { default: ".", rendered: false },
  }),
  parseHTML: () => [{ tag: "ol" }],
  renderHTML: ({ HTMLAttributes }) => ["ol", HTMLAttributes, 0],
  addInputRules() {
    return [
      wrappingInputRule({
        find: /^(\d{1,9})([.)])\s$/,
        type: this.type,
        getAttributes: (match) => ({ start: Number(match[1]), marker: match[2] }),
        joinPredicate: (match, node) => node.childCount + Number(node.attrs["start"]) === Number(match[1]),
      }),
    ];
  },
  addKeyboardShortcuts() {
    return { "Mod-Shift-7": () => this.editor.commands.toggleList("orderedList", "listItem") };
  },
});

/** An item with a box has `checked` true or false; without one, null. Markdown lets both stand in one list. */
export const ListItem = Node.create({
  name: "listItem",
  content: "block+",
  defining: true,
  addAttributes: () => ({
    checked: {
      default: null,
      keepOnSplit: false,
      parseHTML: (element) => {
        const box = element.dataset["checked"] ?? null;
        if (box !== null) return box === "true";
        const input = element.querySelector<HTMLInputElement>(":scope > input[type=checkbox], :scope > p > input[type=checkbox]");
        return input === null ? null : input.checked;
      },
      renderHTML: ({ checked }) => (checked === null ? {} : { "data-checked": String(checked) }),
    },
  }),
  parseHTML: () => [{ tag: "li" }],
  renderHTML: ({ HTMLAttributes }) => ["li", HTMLAttributes, 0],
  addInputRules() {
    return [
      new InputRule({
        find: /^\[([ xX]?)\]\s$/,
        handler: ({ state, range, match }) => makeTask(state.tr, range, /x/i.test(match[1] ?? "")),
      }),
    ];
  },
  addKeyboardShortcuts() {
    return {
      Enter: () => splitItem(this.editor),
      Tab: () => this.editor.commands.sinkListItem("listItem"),
      "Shift-Tab": () => this.editor.commands.liftListItem("listItem"),
      "Mod-Enter": () => toggleBox(this.editor),
      Backspace: () => dropBox(this.editor),
    };
  },
});

/** The item around the cursor, if it is the nearest container. */
function itemAt(editor: Editor): { readonly checked: boolean | null; readonly pos: number } | null {
  const { $from } = editor.state.selection;
  const item = $from.depth > 0 ? $from.node(-1) : null;
  return item?.type.name === "listItem" ? { checked: item.attrs["checked"] as boolean | null, pos: $from.before(-1) } : null;
}

/** `[ ] ` at the start of an item gives it a box; at the start of a plain paragraph it begins a list of tasks. */
function makeTask(tr: Transaction, { from, to }: { readonly from: number; readonly to: number }, checked: boolean): null | void {
  const $from = tr.doc.resolve(from);
  const { listItem, bulletList } = tr.doc.type.schema.nodes;
  if ($from.parent.type.name !== "paragraph") return null;
  const item = $from.node(-1);
  tr.delete(from, to);
  if (item.type === listItem && $from.index(-1) === 0) {
    tr.setNodeAttribute($from.before(-1), "checked", checked);
    return;
  }
  const range = tr.doc.resolve(from).blockRange();
  const wrapping = range === null ? null : findWrapping(range, bulletList!);
  if (range === null || wrapping === null) return null;
  tr.wrap(
    range,
    wrapping.map((wrap) => (wrap.type === listItem ? { ...wrap, attrs: { checked } } : wrap)),
  );
}

/** The next item of a task list is a task, still open. */
function splitItem(editor: Editor): boolean {
  const item = itemAt(editor);
  return editor.commands.splitListItem("listItem", item?.checked == null ? {} : { checked: false });
}

function toggleBox(editor: Editor): boolean {
  const item = itemAt(editor);
  if (item?.checked == null) return false;
  return editor.commands.updateAttributes("listItem", { checked: !item.checked });
}

/** At the start of a task, the first step back takes the box away. */
function dropBox(editor: Editor): boolean {
  const { empty, $from } = editor.state.selection;
  const item = itemAt(editor);
  if (!empty || $from.parentOffset > 0 || item?.checked == null || $from.index(-1) > 0) return false;
  return editor.commands.updateAttributes("listItem", { checked: null });
}
