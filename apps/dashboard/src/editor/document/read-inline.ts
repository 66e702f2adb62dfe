import type { Mark, Node, Schema } from "@tiptap/pm/model";
import type { Token } from "markdown-it";
import { UnsupportedBlock } from "./unsupported-block.ts";

const OPENS: Readonly<Record<string, string>> = { strong_open: "bold", em_open: "italic", s_open: "strike", link_open: "link" };
const CLOSES: Readonly<Record<string, string>> = { strong_close: "bold", em_close: "italic", s_close: "strike", link_close: "link" };

const attribute = (token: Token, name: string): string | null => {
  const value = token.attrGet(name);
  return value === null ? null : String(value);
};

/** The text of a block as the editor holds it. In a table's cell `<br>` is the only way to break a line. */
export function readInline(tokens: readonly Token[], schema: Schema, inCell: boolean): Node[] {
  let marks: readonly Mark[] = [];
  const nodes: Node[] = [];
  tokens.forEach((token, i) => {
    const opens = OPENS[token.type];
    const closes = CLOSES[token.type];
    if (opens !== undefined) {
      const mark = schema.mark(opens, opens === "link" ? linkAttributes(token) : null);
      // A link without words, and emphasis within emphasis, are nothing that a selection could hold.
      if (tokens[i + 1]?.type === `${token.type.slice(0, -4)}close` || marks.some(({ type }) => type === mark.type))
        throw new UnsupportedBlock();
      marks = mark.addToSet(marks);
    } else if (closes !== undefined) {
      marks = marks.filter(({ type }) => type.name !== closes);
    } else {
      const node = leaf(token, schema, marks, inCell);
      if (node !== null) nodes.push(node);
    }
  });
  return nodes;
}

function leaf(token: Token, schema: Schema, marks: readonly Mark[], inCell: boolean): Node | null {
  const make = (name: string, attrs: Record<string, unknown> | null = null): Node => schema.nodes[name]!.create(attrs, null, marks);
  switch (token.type) {
    case "text":
      return token.content === "" ? null : schema.text(token.content, marks);
    case "code_inline":
      return schema.text(token.content, schema.mark("code").addToSet(marks));
    case "softbreak":
      return make("softBreak");
    case "hardbreak":
      return make("hardBreak");
    case "html_inline":
      return inCell && /^<br\s*\/?>$/i.test(token.content) ? make("hardBreak") : make("htmlInline", { html: token.content });
    case "footnote_reference":
      return make("footnoteReference", { label: token.meta!["label"] });
    case "image":
      return make("image", {
        src: attribute(token, "src") ?? "",
        alt: altText(token),
        title: attribute(token, "title"),
        width: token.meta?.["width"] ?? null,
      });
    default:
      throw new UnsupportedBlock();
  }
}

const linkAttributes = (token: Token): Record<string, unknown> => ({
  href: attribute(token, "href") ?? "",
  title: attribute(token, "title"),
  bare: token.markup === "linkify" || token.markup === "autolink",
});

/** The words of an image's description, as the service writes them. */
function altText(token: Token): string {
  return (token.children ?? [])
    .map((child) => (child.type === "softbreak" ? " " : child.children ? altText(child) : child.content))
    .join("");
}
