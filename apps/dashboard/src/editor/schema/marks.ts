import { isLinkable } from "@stet/markdown";
import { Mark, markInputRule, markPasteRule } from "@tiptap/core";
import { addressesIn } from "../document/grammar.ts";

export const Bold = Mark.create({
  name: "bold",
  parseHTML: () => [
    { tag: "strong" },
    // Google Docs wraps everything it copies in a <b> that is not bold.
    { tag: "b", getAttrs: (element) => element.style.fontWeight !== "normal" && null },
    { style: "font-weight", getAttrs: (value) => /^(?:bold(?:er)?|[6-9]\d{2})$/.test(value) && null },
  ],
  renderHTML: () => ["strong", 0],
  addKeyboardShortcuts() {
    return { "Mod-b": () => this.editor.commands.toggleMark("bold") };
  },
  addInputRules() {
    return [
      markInputRule({ find: /(?:^|\s)(\*\*(?!\s+\*\*)((?:[^*]+))\*\*(?!\s+\*\*))$/, type: this.type }),
      markInputRule({ find: /(?:^|\s)(__(?!\s+__)((?:[^_]+))__(?!\s+__))$/, type: this.type }),
    ];
  },
});

export const Italic = Mark.create({
  name: "italic",
  parseHTML: () => [
    { tag: "em" },
    { tag: "i", getAttrs: (element) => element.style.fontStyle !== "normal" && null },
    { style: "font-style=italic" },
  ],
  renderHTML: () => ["em", 0],
  addKeyboardShortcuts() {
    return { "Mod-i": () => this.editor.commands.toggleMark("italic") };
  },
  addInputRules() {
    return [
      markInputRule({ find: /(?:^|\s)(\*(?!\s+\*)((?:[^*]+))\*(?!\s+\*))$/, type: this.type }),
      markInputRule({ find: /(?:^|\s)(_(?!\s+_)((?:[^_]+))_(?!\s+_))$/, type: this.type }),
    ];
  },
});

export const Strike = Mark.create({
  name: "strike",
  parseHTML: () => [{ tag: "s" }, { tag: "del" }, { tag: "strike" }, { style: "text-decoration=line-through" }],
  renderHTML: () => ["s", 0],
  addKeyboardShortcuts() {
    return { "Mod-Shift-s": () => this.editor.commands.toggleMark("strike") };
  },
  addInputRules() {
    return [markInputRule({ find: /(?:^|\s)(~~(?!\s+~~)((?:[^~]+))~~(?!\s+~~))$/, type: this.type })];
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
    return [markInputRule({ find: /(^|[^`])`([^`]+)`(?!`)$/, type: this.type })];
  },
});

/** `bare` is an address that stands in the text by itself (`https://…`, `<https://…>`), not `[words](address)`. */
export const Link = Mark.create({
  name: "link",
  priority: 1_000,
  inclusive: false,
  addAttributes: () => ({
    href: { default: "", rendered: false },
    title: { default: null, rendered: false },
    bare: { default: false, rendered: false },
  }),
  parseHTML: () => [
    {
      tag: "a[href]",
      getAttrs: (element) => {
        const href = element.getAttribute("href") ?? "";
        return isLinkable(href) && { href, title: element.getAttribute("title") };
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
