import { type Embed, type Figure, USER_ID_PREFIX } from "@stet/markdown";
import type { Token } from "markdown-it";
import type { Attributes } from "./allow-list.ts";
import { isBlockElement, NO_ATTRIBUTES } from "./allow-list.ts";
import { addressOf, frameOf } from "./embeds.ts";
import type { HtmlWriter } from "./html-writer.ts";
import { parser } from "./parser.ts";
import { RawHtml } from "./raw-html.ts";

const { unescapeAll } = parser.utils;

const UNREADABLE = { readable: false } as const;

/** Writes what the parser found as HTML. */
export function writeTokens(tokens: readonly Token[], writer: HtmlWriter): void {
  const rawHtml = new RawHtml(writer);
  for (const token of tokens) {
    if (token.type === "inline") for (const child of token.children ?? []) writeToken(child, writer, rawHtml);
    else writeToken(token, writer, rawHtml);
  }
}

function writeToken(token: Token, writer: HtmlWriter, rawHtml: RawHtml): void {
  const special = Object.hasOwn(SPECIAL, token.type) ? SPECIAL[token.type] : undefined;
  if (special !== undefined) return special(token, writer, rawHtml);
  // The paragraphs of a tight list.
  if (token.hidden) return;
  // GFM says that struck text was deleted; the parser says `s`.
  const tag = token.tag === "s" ? "del" : token.tag;
  if (token.nesting === -1) writer.close(tag, true);
  else writer.open(tag, attributesOf(token), true);
  if (isBlockElement(tag) && token.nesting !== 1) writer.text("\n");
}

const SPECIAL: Readonly<Record<string, (token: Token, writer: HtmlWriter, rawHtml: RawHtml) => void>> = {
  text: (token, writer) => writer.text(token.content),
  text_special: (token, writer) => writer.text(token.content),
  softbreak: (_token, writer) => writer.text("\n"),
  code_inline: (token, writer) => element(writer, "code", {}, token.content),
  html_inline: (token, _writer, rawHtml) => rawHtml.read(token.content),
  html_block: (token, _writer, rawHtml) => rawHtml.read(token.content),
  code_block: (token, writer) => codeBlock(writer, "", token.content),
  fence: (token, writer) => codeBlock(writer, unescapeAll(token.info.slice(0, 200)), token.content),
  image: (token, writer) => {
    const attributes = new Map([...attributesOf(token), ["alt", altText(token)]]);
    // In a figure the title is the caption, and nobody wants to read it twice.
    if (token.meta?.["caption"] !== undefined) attributes.delete("title");
    writer.open("img", attributes, true);
  },
  figure_open: (token, writer) => {
    const { width } = token.meta as unknown as Figure;
    writer.open("figure", new Map([["class", width === null ? "stet-figure" : `stet-figure stet-figure-${width}`]]), true);
  },
  figure_close: (token, writer) => {
    const { caption } = token.meta as unknown as Figure;
    if (caption !== "") element(writer, "figcaption", {}, caption);
    writer.close("figure", true);
    writer.text("\n");
  },
  plain_paragraph: (token, writer) => {
    element(writer, "p", {}, token.content);
    writer.text("\n");
  },
  callout_open: (token, writer) => writer.open("aside", new Map([["class", `callout callout-${String(token.meta!["kind"])}`]]), true),
  callout_title_open: (_token, writer) => writer.open("p", new Map([["class", "callout-title"]]), true),
  embed: (token, writer) => writeEmbed(writer, token.meta as unknown as { embed: Embed; label: string }),
  footnote_reference: (token, writer) => {
    const { number, reference } = token.meta as { number: number; reference: number };
    writer.open("sup", new Map([["class", "footnote-ref"]]), true);
    writer.open(
      "a",
      new Map([
        ["href", `#${noteId(number)}`],
        ["id", referenceId(number, reference)],
      ]),
      true,
    );
    writer.text(String(number), UNREADABLE);
    writer.close("a", true);
    writer.close("sup", true);
  },
  footnotes_open: (_token, writer) => {
    writer.open("section", new Map([["class", "footnotes"]]), true);
    writer.text("\n");
    writer.open("ol", NO_ATTRIBUTES, true);
    writer.text("\n");
  },
  footnotes_close: (_token, writer) => {
    writer.close("ol", true);
    writer.close("section", true);
    writer.text("\n");
  },
  footnote_open: (token, writer) => writer.open("li", new Map([["id", noteId(token.meta!["number"] as number)]]), true),
  footnote_close: (_token, writer) => {
    writer.close("li", true);
    writer.text("\n");
  },
  footnote_back: (token, writer) => {
    const { number, references } = token.meta as { number: number; references: number };
    for (let reference = 1; reference <= references; reference++) {
      writer.text(" ", UNREADABLE);
      writer.open(
        "a",
        new Map([
          ["href", `#${referenceId(number, reference)}`],
          ["class", "footnote-backref"],
          ["aria-label", `↩ ${number}`],
        ]),
        true,
      );
      writer.text("↩", UNREADABLE);
      writer.close("a", true);
    }
  },
};

// Numbers, not labels: a label can hold anything.
const noteId = (number: number): string => `${USER_ID_PREFIX}fn-${number}`;
const referenceId = (number: number, reference: number): string =>
  `${USER_ID_PREFIX}fnref-${number}${reference === 1 ? "" : `-${reference}`}`;

function element(writer: HtmlWriter, tag: string, attributes: Readonly<Record<string, string>>, text: string): void {
  writer.open(tag, new Map(Object.entries(attributes)), true);
  writer.text(text);
  writer.close(tag, true);
}

function codeBlock(writer: HtmlWriter, info: string, code: string): void {
  const language = /^\S{1,40}/.exec(info.trim())?.[0] ?? "";
  writer.open("pre", NO_ATTRIBUTES, true);
  element(writer, "code", language === "" ? {} : { class: `language-${language}` }, code);
  writer.close("pre", true);
  writer.text("\n");
}

function writeEmbed(writer: HtmlWriter, { embed, label }: { readonly embed: Embed; readonly label: string }): void {
  const frame = frameOf(embed);
  const tag = frame === null ? "blockquote" : "div";
  writer.open(tag, new Map([["class", `embed embed-${embed.kind}`]]), true);
  if (frame !== null) {
    writer.open(
      "iframe",
      new Map([
        ["src", frame.src],
        ["title", label],
      ]),
      true,
    );
  } else {
    const address = addressOf(embed);
    writer.open("p", NO_ATTRIBUTES, true);
    element(writer, "a", { href: address }, label || address.replace("https://", ""));
    writer.close("p", true);
  }
  writer.close(tag, true);
  writer.text("\n");
}

function attributesOf(token: Token): Attributes {
  if (token.attrs === null) return NO_ATTRIBUTES;
  const attributes = new Map<string, string>();
  for (const [name, value] of token.attrs) {
    // The parser aligns a column with a style; styles are not allowed, the older attribute is.
    if (name === "style") attributes.set("align", String(value).replace("text-align:", ""));
    else attributes.set(name, String(value));
  }
  return attributes;
}

/** The words of an image's description; what is nested in it is bounded by the parser. */
function altText(token: Token): string {
  return (token.children ?? [])
    .map((child) => (child.type === "softbreak" ? " " : child.children ? altText(child) : child.content))
    .join("");
}
