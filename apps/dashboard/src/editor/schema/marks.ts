import { isLinkable } from "@stet/markdown";
import { Mark, markInputRule, markPasteRule } from "@tiptap/core";
import { addressesIn } from "../document/grammar.ts";

/**
 * Words between two delimiters, as they are typed: after a space, a bracket, a quotation mark or a dash, but not within a word, where
 * 2*3*4 and snake_case are no emphasis.
 */
const typedBetween = (delimiter: string, char: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}${char}\\\\])${delimiter}([^${char}\\s](?:[^${char}]*[^${char}\\s])?)${delimiter}$`, "u");

export const Bold = Mark.create({
  name: "bold",
  parseHTML: () => [{ tag: "strong" }, { tag: "b" }],
  renderHTML: () => ["strong", 0],
  addKeyboardShortcuts() {
    return { "Mod-b": () => this.editor.commands.toggleMark("bold") };
  },
  addInputRules() {
    return [
      markInputRule({ find: typedBetween("\\*\\*", "*"), type: this.type }),
      markInputRule({ find: typedBetween("__", "_"), type: this.type }),
    ];
  },
});

export const Italic = Mark.create({
  name: "italic",
  parseHTML: () => [{ tag: "em" }, { tag: "i" }],
  renderHTML: () => ["em", 0],
  addKeyboardShortcuts() {
    return { "Mod-i": () => this.editor.commands.toggleMark("italic") };
  },
  addInputRules() {
    return [
      markInputRule({ find: typedBetween("\\*", "*"), type: this.type }),
      markInputRule({ find: typedBetween("_", "_"), type: this.type }),
    ];
  },
});

export const Strike = Mark.create({
  name: "strike",
  parseHTML: () => [{ tag: "s" }, { tag: "del" }, { tag: "strike" }],
  renderHTML: () => ["s", 0],
  addKeyboardShortcuts() {
    return { "Mod-Shift-s": () => this.editor.commands.toggleMark("strike") };
  },
  addInputRules() {
    return [markInputRule({ find: typedBetween("~~", "~"), type: this.type })];
  },
});

export const Code = Mark.create({
  name: "code",
  code: true,
  exitable: true,
  parseHTML: () => [{ tag: "code" }, { tag: "kbd" }, { tag: "samp" }],
  renderHTML: () => ["code", 0],
  addKeyboardShortcuts() {
    return { "Mod-e": () => this.editor.commands.toggleMark("code") };
  },
  addInputRules() {
    return [markInputRule({ find: /(?<!`)`([^`]+)`$/, type: this.type })];
  },
});

/** `bare` is an address that stands in the text by itself (`https://…`, `<https://…>`), not `[words](address)`. */
export const Link = Mark.create({
  name: "link",
  priority: 1_000,
  inclusive: false,
  addAttributes: () => ({
    href: { default: "", rendered: false },
    // Word gives its links an empty one.
    title: { default: null, rendered: false, parseHTML: (element: HTMLElement) => element.getAttribute("title") || null },
    bare: { default: false, rendered: false },
  }),
  parseHTML: () => [
    {
      tag: "a[href]",
      getAttrs: (element) => {
        const href = element.getAttribute("href") ?? "";
        return isLinkable(href) && { href };
      },
    },
  ],
  renderHTML: ({ mark }) => {
    const { href, title } = mark.attrs as { href: string; title: string | null };
    return ["a", { href: isLinkable(href) ? href : "", ...(title === null ? {} : { title }), rel: "noopener noreferrer nofollow" }, 0];
  },
  addPasteRules() {
    return [
      markPasteRule({
        find: (text) => addressesIn(text).map(({ start, end, href }) => ({ index: start, text: text.slice(start, end), data: { href } })),
        type: this.type,
        getAttributes: ({ data }) => ({ href: String(data?.["href"]), bare: true }),
      }),
    ];
  },
});
