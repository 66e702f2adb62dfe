import { FIGURE_WIDTHS } from "@stet/markdown";
import { Node } from "@tiptap/core";

/** A line that ends on purpose. */
export const HardBreak = Node.create({
  name: "hardBreak",
  group: "inline",
  inline: true,
  selectable: false,
  linebreakReplacement: true,
  parseHTML: () => [{ tag: "br" }],
  renderHTML: () => ["br"],
  renderText: () => "\n",
  addKeyboardShortcuts() {
    const insert = (): boolean => {
      const { $from } = this.editor.state.selection;
      // One line of Markdown is one heading: it has no place for a break.
      if ($from.parent.type.name === "heading" || $from.parent.type.spec.code) return $from.parent.type.name === "heading";
      return this.editor.commands.insertContent({ type: "hardBreak" });
    };
    return { "Shift-Enter": insert };
  },
});

/** A line that ends in the source only; readers see a space. Kept, because people who wrap their lines want them to stay. */
export const SoftBreak = Node.create({
  name: "softBreak",
  group: "inline",
  inline: true,
  selectable: false,
  parseHTML: () => [{ tag: "span[data-soft-break]" }],
  renderHTML: () => ["span", { "data-soft-break": "" }, " "],
  renderText: () => " ",
});

/** One tag of raw HTML within a text, such as `<kbd>`. Shown as it is typed. */
export const HtmlInline = Node.create({
  name: "htmlInline",
  group: "inline",
  inline: true,
  addAttributes: () => ({ html: { default: "", rendered: false } }),
  parseHTML: () => [{ tag: "code[data-html]", priority: 60, getAttrs: (element) => ({ html: element.textContent }) }],
  renderHTML: ({ node }) => ["code", { "data-html": "" }, String(node.attrs["html"])],
  renderText: () => "",
});

export const Image = Node.create({
  name: "image",
  group: "inline",
  inline: true,
  draggable: true,
  addAttributes: () => ({
    src: { default: "" },
    alt: { default: "" },
    /** The caption of an image that is alone in its paragraph. */
    title: { default: null, parseHTML: (element: HTMLElement) => element.getAttribute("title")?.replace(/\s*[\r\n]\s*/g, " ") ?? null },
    /** Only of an image that is alone in its paragraph. */
    width: {
      default: null,
      parseHTML: (element: HTMLElement) => FIGURE_WIDTHS.find((width) => width === element.dataset["width"]) ?? null,
      renderHTML: ({ width }: Record<string, unknown>) => (width === null ? {} : { "data-width": width }),
    },
  }),
  parseHTML: () => [{ tag: "img[src]" }],
  renderHTML: ({ HTMLAttributes }) => ["img", HTMLAttributes],
  renderText: ({ node }) => String(node.attrs["alt"]),
});

export const FootnoteReference = Node.create({
  name: "footnoteReference",
  group: "inline",
  inline: true,
  addAttributes: () => ({ label: { default: "1", rendered: false } }),
  parseHTML: () => [{ tag: "sup[data-footnote-reference]", getAttrs: (element) => ({ label: element.dataset["footnoteReference"] }) }],
  renderHTML: ({ node }) => {
    const label = String(node.attrs["label"]);
    return ["sup", { "data-footnote-reference": label }, label];
  },
  renderText: () => "",
});
