import type { Node } from "@tiptap/pm/model";
import { type Context, copyOf, parse } from "./grammar.ts";
import { matchSlices } from "./match-slices.ts";
import type { OpenedBody, SourceSlice } from "./open-markdown.ts";
import { readBlocks } from "./read-blocks.ts";
import { sameMeaning } from "./same-meaning.ts";
import { isEmptyParagraph, tidy } from "./tidy.ts";
import { UnsupportedBlock } from "./unsupported-block.ts";
import { otherMarker } from "./write-blocks.ts";
import { writeFaithfully, writeSafely } from "./write-faithfully.ts";

/** A block on its way into the text. */
interface Piece {
  /** The block that its text reads back as. */
  readonly node: Node;
  text: string;
  readonly slice: SourceSlice | null;
  readonly untouched: boolean;
  /** False for what Markdown cannot say: its text reads back as something near. */
  readonly faithful: boolean;
}

interface Written {
  readonly text: string;
  readonly faithful: boolean;
}
/** Between two saves few blocks change. */
const writtenBefore = new WeakMap<OpenedBody, WeakMap<Node, Written>>();

/**
 * The body as Markdown. Blocks that were not touched are written back to the byte; the others are written anew, and so
 * that no block runs into its neighbour: where a gap would join two of them, it grows. `plain` are addresses that are no links.
 */
export function saveMarkdown(opened: OpenedBody, doc: Node, plain: ReadonlySet<string> = new Set()): string {
  if (doc === opened.doc) return opened.prefix + opened.slices.map(({ text, gap }) => text + gap).join("");
  const matches = matchSlices(opened.slices, doc.content.content);
  const pieces = doc.content.content.flatMap((node, i) => {
    const slice = matches[i] ?? null;
    if (slice !== null && (slice.node === node || slice.node.eq(node))) {
      return [{ node: slice.node, text: slice.text, slice, untouched: true, faithful: true }];
    }
    const piece = rewrittenBlock(opened, node, slice, plain);
    return piece === null ? [] : [piece];
  });
  let body = opened.prefix;
  pieces.forEach((piece, i) => {
    const next = pieces[i + 1];
    const gap = next === undefined ? lastGap(opened) : gapBetween(opened, piece, next);
    body += piece.text + gap;
  });
  return body;
}

function rewrittenBlock(opened: OpenedBody, node: Node, slice: SourceSlice | null, plain: ReadonlySet<string>): Piece | null {
  if (isUnfinished(node)) return null;
  const tidied = tidy(node, slice?.node ?? null, plain);
  if (isEmptyParagraph(tidied)) return null;
  const cache = writtenBefore.get(opened) ?? new WeakMap<Node, Written>();
  writtenBefore.set(opened, cache);
  const written = cache.get(node) ?? write(opened, tidied);
  cache.set(node, written);
  return { node: tidied, ...written, slice, untouched: false };
}

/** A block that says nothing yet: an empty line, empty source, an embed without an address. */
function isUnfinished(node: Node): boolean {
  if (node.type.name === "sourceBlock") return node.textContent.trim() === "";
  return isEmptyParagraph(node) || (node.type.name === "embed" && node.attrs["attributes"] === "");
}

function write(opened: OpenedBody, node: Node, marker?: string): Written {
  if (node.type.name === "sourceBlock") return { text: inEol(opened, node.textContent), faithful: false };
  const text = writeFaithfully(node, contextOf(opened, node), opened.emphasis, marker);
  return { text: inEol(opened, text ?? writeSafely(node, opened.emphasis)), faithful: text !== null };
}

const inEol = (opened: OpenedBody, text: string): string => (opened.eol === "\n" ? text : text.replaceAll("\n", opened.eol));

/** What a block may refer to. A footnote's reference may be newer than the note, as far as the opened text knows. */
function contextOf(opened: OpenedBody, node: Node): Context {
  const context = copyOf(opened.context);
  node.descendants(({ type, attrs }) => {
    if (type.name === "footnoteReference") context.footnotes?.add(String(attrs["label"]));
  });
  return context;
}

/** The end of the text stays as it was: with a line break or without. */
const lastGap = (opened: OpenedBody): string => opened.slices.at(-1)?.gap ?? opened.eol;

function gapBetween(opened: OpenedBody, piece: Piece, next: Piece): string {
  const { slices, eol } = opened;
  const index = piece.slice === null ? -1 : slices.indexOf(piece.slice);
  const areNeighbours = index !== -1 && slices[index + 1] === next.slice;
  if (piece.untouched && next.untouched && areNeighbours) return piece.slice!.gap;
  const gap = piece.slice?.gap ?? "";
  const candidates = [...(areNeighbours && /[\r\n]/.test(gap) ? [gap] : []), eol + eol];
  for (const candidate of candidates) if (separates(opened, piece, candidate, next)) return candidate;
  // Another marker keeps two lists apart.
  const marker = next.untouched ? undefined : otherMarkerFor(piece, next);
  if (marker !== undefined) {
    const before = next.text;
    next.text = write(opened, next.node, marker).text;
    if (separates(opened, piece, eol + eol, next)) return eol + eol;
    next.text = before;
  }
  // A comment is a block of its own to every parser, and nothing to readers.
  return `${eol}${eol}<!-- -->${eol}${eol}`;
}

function otherMarkerFor(piece: Piece, next: Piece): string | undefined {
  return piece.node.type === next.node.type && "marker" in next.node.attrs ? otherMarker(String(next.node.attrs["marker"])) : undefined;
}

/** Whether two blocks with this gap between them are still the same two blocks. */
function separates(opened: OpenedBody, piece: Piece, gap: string, next: Piece): boolean {
  const before = piece.text + gap;
  const line = before.split(/\r\n?|\n/).length - 1;
  const tokens = parse(before + next.text, contextOf(opened, piece.node));
  const boundary = tokens.findIndex((token) => token.level === 0 && token.nesting !== -1 && token.map !== null && token.map[0] >= line);
  const first = boundary === -1 ? tokens : tokens.slice(0, boundary);
  if (first.some((token) => token.level === 0 && token.map !== null && token.map[1] > line)) return false;
  if (next.node.type.name !== "sourceBlock" && tokens[boundary]?.map?.[0] !== line) return false;
  if (piece.node.type.name === "sourceBlock") return true;
  try {
    const [node, ...others] = readBlocks(first, piece.node.type.schema);
    return node !== undefined && others.length === 0 && (!piece.faithful || sameMeaning(node, piece.node));
  } catch (error) {
    if (error instanceof UnsupportedBlock) return false;
    throw error;
  }
}
