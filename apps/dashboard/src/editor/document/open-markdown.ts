import { Fragment } from "@tiptap/pm/model";
import type { Node, Schema } from "@tiptap/pm/model";
import type { Token } from "markdown-it";
import { parse } from "./grammar.ts";
import type { Context } from "./grammar.ts";
import { readBlocks } from "./read-blocks.ts";
import { UnsupportedBlock } from "./unsupported-block.ts";
import { writeFaithfully } from "./write-faithfully.ts";

/** One block at the top of a body, with the bytes it came from. */
export interface SourceSlice {
  readonly node: Node;
  /** What was typed, up to the end of the block's last line. */
  readonly text: string;
  /** The line break after it, and the blank lines up to the next block. */
  readonly gap: string;
}

/** A body that was opened: what the editor shows, and all it needs to write the untouched parts back to the byte. */
export interface OpenedBody {
  readonly doc: Node;
  readonly slices: readonly SourceSlice[];
  /** What stands before the first block: blank lines, as a rule nothing. */
  readonly prefix: string;
  readonly context: Context;
  readonly eol: string;
  readonly emphasis: "*" | "_";
  /** True when the block editor would show a good part of the body as source anyway. */
  readonly preferSource: boolean;
}

/** From this share of the text on, the source view serves a writer better. */
const MUCH = 0.4;

export function openMarkdown(source: string, schema: Schema): OpenedBody {
  const context: Context = {};
  const tokens = parse(source, context);
  const emphasis = preferredEmphasis(tokens);
  const lines = lineStarts(source);
  const groups = topLevel(tokens);
  const startOf = (group: Group | undefined): number => (group === undefined ? source.length : lines[group.line]!);
  const slices = groups.map((group, i) => {
    const slice = source.slice(startOf(group), startOf(groups[i + 1]));
    const gap = /(?:\r\n?|\n)?(?:[ \t]*(?:\r\n?|\n))*[ \t]*$/.exec(slice)![0];
    const text = slice.slice(0, slice.length - gap.length);
    return { node: readFaithfully(group.tokens, context, emphasis, schema) ?? sourceBlock(text, schema), text, gap };
  });
  const content = slices.length === 0 ? [schema.nodes["paragraph"]!.create()] : slices.map(({ node }) => node);
  const opaque = slices.filter(({ node }) => node.type.name === "sourceBlock").reduce((sum, { text }) => sum + text.length, 0);
  return {
    doc: schema.topNodeType.create(null, Fragment.fromArray(content)),
    slices,
    prefix: source.slice(0, startOf(groups[0])),
    context,
    eol: /\r\n?|\n/.exec(source)?.[0] ?? "\n",
    emphasis,
    preferSource: opaque > source.length * MUCH || Object.keys(context.references ?? {}).length > 0,
  };
}

interface Group {
  readonly line: number;
  readonly tokens: readonly Token[];
}

function topLevel(tokens: readonly Token[]): Group[] {
  const groups: Group[] = [];
  let start = 0;
  tokens.forEach((token, i) => {
    if (token.level > 0 || token.nesting === 1) return;
    groups.push({ line: tokens[start]!.map![0], tokens: tokens.slice(start, i + 1) });
    start = i + 1;
  });
  return groups;
}

/** The block, if writing it anew gives the same block again; only then can it be edited without harm. */
function readFaithfully(tokens: readonly Token[], context: Context, emphasis: "*" | "_", schema: Schema): Node | null {
  try {
    const [node] = readBlocks(tokens, schema);
    return node !== undefined && writeFaithfully(node, context, emphasis) !== null ? node : null;
  } catch (error) {
    if (error instanceof UnsupportedBlock) return null;
    throw error;
  }
}

function sourceBlock(text: string, schema: Schema): Node {
  return schema.nodes["sourceBlock"]!.create(null, text === "" ? null : schema.text(text.replace(/\r\n?/g, "\n")));
}

/** Where each line begins. The parser counts lines by the same three ends. */
function lineStarts(source: string): number[] {
  const starts = [0];
  for (const end of source.matchAll(/\r\n?|\n/g)) starts.push(end.index + end[0].length);
  return starts;
}

function preferredEmphasis(tokens: readonly Token[]): "*" | "_" {
  let balance = 0;
  for (const { children } of tokens) {
    for (const child of children ?? []) if (child.type === "em_open") balance += child.markup === "_" ? 1 : -1;
  }
  return balance > 0 ? "_" : "*";
}
