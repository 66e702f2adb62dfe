import { CALLOUT_KINDS } from "@stet/markdown";
import { Node, nodeInputRule, wrappingInputRule } from "@tiptap/core";

export const Blockquote = Node.create({
  name: "blockquote",
  group: "block",
  content: "block+",
  defining: true,
  parseHTML: () => [{ tag: "blockquote" }],
  renderHTML: () => ["blockquote", 0],
  addInputRules() {
    return [wrappingInputRule({ find: /^\s*>\s$/, type: this.type })];
  },
  addKeyboardShortcuts() {
    return { "Mod-Shift-b": () => this.editor.commands.toggleWrap("blockquote") };
  },
});

export const HorizontalRule = Node.create({
  name: "horizontalRule",
  group: "block",
  parseHTML: () => [{ tag: "hr" }],
  renderHTML: () => ["hr"],
  addInputRules() {
    return [nodeInputRule({ find: /^(?:---|\*\*\*|___)\s$/, type: this.type })];
  },
});

/** `:::note[Title]` … `:::`. The title is Markdown of its own, kept as it was typed. */
export const Callout = Node.create({
  name: "callout",
  group: "block",
  content: "block+",
  defining: true,
  addAttributes: () => ({
    kind: { default: "note", rendered: false },
    title: { default: "", rendered: false },
    attributes: { default: null, rendered: false },
  }),
  parseHTML: () =>
    CALLOUT_KINDS.map((kind) => ({
      tag: `aside.callout-${kind}`,
      getAttrs: (element) => ({ kind, title: element.dataset["title"] ?? "" }),
    })),
  renderHTML: ({ node }) => {
    const { kind, title } = node.attrs as { kind: string; title: string };
    return ["aside", { class: `callout callout-${kind}`, "data-title": title }, 0];
  },
  addInputRules() {
    return [
      wrappingInputRule({
        find: /^:::(note|tip|info|warning|danger)\s$/,
        type: this.type,
        getAttributes: (match) => ({ kind: match[1] }),
      }),
    ];
  },
});

/** `::youtube[Title]{id=…}`: label and attributes as they were typed. */
export const Embed = Node.create({
  name: "embed",
  group: "block",
  draggable: true,
  addAttributes: () => ({
    name: { default: "youtube", rendered: false },
    label: { default: "", rendered: false },
    attributes: { default: "", rendered: false },
  }),
  parseHTML: () => [
    {
      tag: "div[data-embed]",
      getAttrs: (element) => ({
        name: element.dataset["embed"],
        label: element.dataset["label"] ?? "",
        attributes: element.dataset["attributes"] ?? "",
      }),
    },
  ],
  renderHTML: ({ node }) => {
    const { name, label, attributes } = node.attrs as { name: string; label: string; attributes: string };
    return ["div", { "data-embed": name, "data-label": label, "data-attributes": attributes }, `${name} ${label}`];
  },
});

/** `[^label]: note`, shown where it was written. */
export const Footnote = Node.create({
  name: "footnote",
  group: "block",
  content: "block+",
  defining: true,
  addAttributes: () => ({ label: { default: "1", rendered: false } }),
  parseHTML: () => [{ tag: "div[data-footnote]", getAttrs: (element) => ({ label: element.dataset["footnote"] }) }],
  renderHTML: ({ node }) => ["div", { "data-footnote": String(node.attrs["label"]) }, 0],
});
