import { Node, textblockTypeInputRule } from "@tiptap/core";
import type { Editor } from "@tiptap/core";

export const Document = Node.create({ name: "doc", topNode: true, content: "block+" });

export const Text = Node.create({ name: "text", group: "inline" });

export const Paragraph = Node.create({
  name: "paragraph",
  priority: 1_000,
  group: "block",
  content: "inline*",
  parseHTML: () => [{ tag: "p" }],
  renderHTML: () => ["p", 0],
});

const LEVELS = [1, 2, 3, 4, 5, 6];

export const Heading = Node.create({
  name: "heading",
  group: "block",
  content: "inline*",
  defining: true,
  addAttributes: () => ({ level: { default: 2, rendered: false } }),
  parseHTML: () => LEVELS.map((level) => ({ tag: `h${level}`, attrs: { level } })),
  renderHTML: ({ node }) => [`h${String(node.attrs["level"])}`, 0],
  addKeyboardShortcuts() {
    const toggles = LEVELS.map((level) => [`Mod-Alt-${level}`, () => this.editor.commands.toggleNode("heading", "paragraph", { level })]);
    return {
      ...(Object.fromEntries(toggles) as Record<string, () => boolean>),
      "Mod-Alt-0": () => this.editor.commands.setNode("paragraph"),
      // At the start of a heading the first step back is to plain text, not into the block before.
      Backspace: () => {
        const { selection } = this.editor.state;
        if (!selection.empty || selection.$from.parentOffset > 0 || selection.$from.parent.type !== this.type) return false;
        return this.editor.commands.setNode("paragraph");
      },
    };
  },
  addInputRules() {
    return LEVELS.map((level) =>
      textblockTypeInputRule({ find: new RegExp(`^(#{${level}})\\s$`), type: this.type, getAttributes: { level } }),
    );
  },
});

export const CodeBlock = Node.create({
  name: "codeBlock",
  group: "block",
  content: "text*",
  marks: "",
  code: true,
  defining: true,
  // The whole info string: `ts title="a.ts"` says more than the language.
  addAttributes: () => ({ info: { default: "", rendered: false } }),
  parseHTML: () => [
    {
      tag: "pre",
      preserveWhitespace: "full",
      getAttrs: (element) => ({ info: /(?:^|\s)language-(\S+)/.exec(element.querySelector("code")?.className ?? "")?.[1] ?? "" }),
    },
  ],
  renderHTML: ({ node }) => {
    const language = String(node.attrs["info"]).split(/\s/, 1)[0];
    return ["pre", ["code", language ? { class: `language-${language}` } : {}, 0]];
  },
  addInputRules() {
    return [
      textblockTypeInputRule({
        find: /^(?:```|~~~)([\w+#.-]*)[\s\n]$/,
        type: this.type,
        getAttributes: (match) => ({ info: match[1] ?? "" }),
      }),
    ];
  },
  addKeyboardShortcuts() {
    return {
      "Mod-Alt-c": () => this.editor.commands.toggleNode("codeBlock", "paragraph"),
      Enter: () => leaveCodeAtEmptyLines(this.editor),
    };
  },
});

/** Markdown that the editor cannot show as anything else: raw HTML, link definitions, what is nested too oddly. */
export const SourceBlock = Node.create({
  name: "sourceBlock",
  group: "block",
  content: "text*",
  marks: "",
  code: true,
  defining: true,
  parseHTML: () => [{ tag: "pre[data-source]", preserveWhitespace: "full", priority: 60 }],
  renderHTML: () => ["pre", { "data-source": "" }, 0],
  addKeyboardShortcuts() {
    return { Enter: () => leaveCodeAtEmptyLines(this.editor) };
  },
});

/** The third Enter at the end of a code block leaves it, as people expect from other editors. */
function leaveCodeAtEmptyLines(editor: Editor): boolean {
  const { $from, empty } = editor.state.selection;
  if (!empty || !$from.parent.type.spec.code || $from.parentOffset < $from.parent.content.size) return false;
  if (!$from.parent.textContent.endsWith("\n\n")) return false;
  return editor
    .chain()
    .command(({ tr }) => {
      tr.delete($from.pos - 2, $from.pos);
      return true;
    })
    .exitCode()
    .run();
}
