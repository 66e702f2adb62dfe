import { Fragment } from "@tiptap/pm/model";
import type { Node, Schema } from "@tiptap/pm/model";
import type { Token } from "markdown-it";
import { readInline } from "./read-inline.ts";
import { UnsupportedBlock } from "./unsupported-block.ts";

/** The blocks that a run of tokens makes. Throws UnsupportedBlock where one has no faithful form. */
export function readBlocks(tokens: readonly Token[], schema: Schema): Node[] {
  const reader = new BlockReader(tokens, schema);
  return reader.blocks(null);
}

class BlockReader {
  readonly #tokens: readonly Token[];
  readonly #schema: Schema;
  #at = 0;

  constructor(tokens: readonly Token[], schema: Schema) {
    this.#tokens = tokens;
    this.#schema = schema;
  }

  /** Blocks up to the token that closes their parent, which is passed too. */
  blocks(until: string | null): Node[] {
    const nodes: Node[] = [];
    for (;;) {
      const token = this.#tokens[this.#at++];
      if (token === undefined || token.type === until) return nodes;
      nodes.push(this.#block(token));
    }
  }

  #make(name: string, attrs: Record<string, unknown> | null, content: readonly Node[]): Node {
    return this.#schema.nodes[name]!.create(attrs, Fragment.fromArray([...content]));
  }

  /** A container without content gets a place to type. */
  #container(name: string, attrs: Record<string, unknown> | null, until: string): Node {
    const content = this.blocks(until);
    return this.#make(name, attrs, content.length === 0 ? [this.#make("paragraph", null, [])] : content);
  }

  #block(token: Token): Node {
    switch (token.type) {
      case "paragraph_open":
      // A paragraph of one image, which says itself how wide it is.
      case "figure_open":
        return this.#textBlock("paragraph", null);
      case "heading_open":
        return this.#textBlock("heading", { level: Number(token.tag.slice(1)) });
      case "blockquote_open":
        return this.#container("blockquote", null, "blockquote_close");
      case "callout_open":
        // Its title is an attribute here, as it was typed; the tokens of it are passed over.
        if (this.#tokens[this.#at]?.type === "callout_title_open") this.#at += 3;
        return this.#container("callout", token.meta, "callout_close");
      case "footnote_definition_open":
        return this.#container("footnote", token.meta, "footnote_definition_close");
      case "bullet_list_open":
        return this.#list("bulletList", { marker: token.markup }, "bullet_list_close");
      case "ordered_list_open":
        return this.#list("orderedList", { marker: token.markup, start: Number(token.attrGet("start") ?? 1) }, "ordered_list_close");
      case "hr":
        return this.#make("horizontalRule", null, []);
      case "embed":
        return this.#make("embed", token.meta, []);
      case "code_block":
      case "fence":
        return this.#code("codeBlock", { info: token.info.trim() }, token.content);
      case "html_block":
        return this.#code("sourceBlock", null, token.content);
      case "table_open":
        return this.#table();
      default:
        throw new UnsupportedBlock();
    }
  }

  #textBlock(name: string, attrs: Record<string, unknown> | null, inCell = false): Node {
    const inline = this.#tokens[this.#at++];
    if (inline?.type !== "inline") throw new UnsupportedBlock();
    this.#at++;
    return this.#make(name, attrs, readInline(inline.children ?? [], this.#schema, inCell));
  }

  #code(name: string, attrs: Record<string, unknown> | null, content: string): Node {
    const text = content.replace(/\n$/, "");
    return this.#make(name, attrs, text === "" ? [] : [this.#schema.text(text)]);
  }

  #list(name: string, attrs: Record<string, unknown>, until: string): Node {
    const level = this.#tokens[this.#at - 1]!.level;
    const start = this.#at;
    const items: Node[] = [];
    while (this.#tokens[this.#at++]!.type !== until) items.push(this.#item());
    const paragraph = this.#tokens.slice(start, this.#at).find((token) => token.type === "paragraph_open" && token.level === level + 2);
    return this.#make(name, { ...attrs, tight: paragraph?.hidden ?? true }, items);
  }

  #item(): Node {
    const item = this.#container("listItem", null, "list_item_close");
    const box = boxOf(item.firstChild!);
    if (box === null) return item;
    const first = item.firstChild!;
    const rest = this.#make("paragraph", null, textAfter(first, box.length));
    return this.#make("listItem", { checked: box[1] !== " " }, [rest, ...item.content.content.slice(1)]);
  }

  #table(): Node {
    const rows: Node[] = [];
    let cells: Node[] = [];
    for (;;) {
      const token = this.#tokens[this.#at++]!;
      if (token.type === "table_close") return this.#make("table", null, rows);
      if (token.type === "tr_open") cells = [];
      if (token.type === "tr_close") rows.push(this.#make("tableRow", null, cells));
      if (token.type !== "th_open" && token.type !== "td_open") continue;
      const style = token.attrGet("style");
      const align = style === null ? null : String(style).replace("text-align:", "");
      const paragraph = this.#textBlock("paragraph", null, true);
      cells.push(this.#make(token.type === "th_open" ? "tableHeader" : "tableCell", { align }, [paragraph]));
    }
  }
}

/**
 * `[ ] ` or `[x] ` at the start of an item. A box with nothing after it is text to the service, but it is what a task
 * looks like before its words are typed.
 */
function boxOf(first: Node): string | null {
  const text = first.type.name === "paragraph" ? first.firstChild : null;
  if (text == null || !text.isText || text.marks.length > 0) return null;
  const box = /^\[[ xX]\](?:[ \t]|$)/.exec(text.text ?? "")?.[0] ?? null;
  return box !== null && box.length === 3 && first.childCount > 1 ? null : box;
}

function textAfter(paragraph: Node, length: number): Node[] {
  const [first, ...rest] = paragraph.content.content;
  return length < first!.nodeSize ? [first!.cut(length), ...rest] : rest;
}
