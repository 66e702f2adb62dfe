import { Extension } from "@tiptap/core";
import { Mark } from "@tiptap/pm/model";
import type { Node, ResolvedPos } from "@tiptap/pm/model";
import { Plugin, Selection } from "@tiptap/pm/state";
import type { Transaction } from "@tiptap/pm/state";
import { Mapping } from "@tiptap/pm/transform";
import { addressesIn } from "../document/grammar.ts";
import { canLink } from "../document/tidy.ts";
import { editorSlot } from "./editor-slot.ts";

/** Addresses from which the writer took the link: no space links them again. */
export const plainAddresses = editorSlot<Set<string>>();

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * An address becomes a link with the space or the break after it: exactly those that readers will find linked. When its words are
 * changed later, the link follows them, so that it never leads elsewhere than it says.
 */
export const AutoLinks = Extension.create({
  name: "autoLinks",
  addProseMirrorPlugins() {
    const { editor } = this;
    return [
      new Plugin({
        appendTransaction: (transactions, _before, { doc, selection, tr }) => {
          // While an input method composes, the text under it is left alone. What is undone or comes from outside was right before.
          if (editor.view.composing || transactions.some((each) => each.getMeta("history$") ?? each.getMeta("preventUpdate"))) return null;
          const changes = changedRanges(transactions);
          for (const change of changes) followWords(tr, doc, change);
          const end = selection.empty ? justEnded(selection.$from) : null;
          if (end !== null && changes.some(({ from, to }) => from <= end.pos && to > end.pos))
            linkBefore(tr, end, plainAddresses.get(editor));
          return tr.docChanged ? tr : null;
        },
      }),
    ];
  },
});

/** In the document as it is after all of them. */
function changedRanges(transactions: readonly Transaction[]): Range[] {
  const mapping = new Mapping();
  for (const each of transactions) mapping.appendMapping(each.mapping);
  const ranges: Range[] = [];
  mapping.maps.forEach((map, i) => {
    const rest = mapping.slice(i + 1);
    map.forEach((_oldStart, _oldEnd, start, end) => ranges.push({ from: rest.map(start, -1), to: rest.map(end, 1) }));
  });
  return ranges;
}

/** Where a word has just ended: before the space, the line break or the new block that the cursor stands behind. */
function justEnded($cursor: ResolvedPos): ResolvedPos | null {
  const { doc, nodeBefore, parentOffset, pos, depth } = $cursor;
  if (parentOffset === 0) return depth === 0 ? null : (Selection.findFrom(doc.resolve($cursor.before()), -1, true)?.$head ?? null);
  const isGap = nodeBefore?.type.name === "hardBreak" || (nodeBefore?.isText === true && /\s$/.test(nodeBefore.text ?? ""));
  return isGap ? doc.resolve(pos - 1) : null;
}

function linkBefore(tr: Transaction, end: ResolvedPos, plain: ReadonlySet<string> | undefined): void {
  const node = end.nodeBefore;
  if (node === null || !canLink(node) || end.parent.type.spec.code === true) return;
  const text = node.text ?? "";
  const last = addressesIn(text).at(-1);
  if (last === undefined || plain?.has(text.slice(last.start, last.end)) === true) return;
  // What ends the sentence is no part of the address.
  if (/^\p{P}*$/u.test(text.slice(last.end))) mark(tr, end.pos - text.length, last);
}

const mark = (tr: Transaction, base: number, { start, end, href }: ReturnType<typeof addressesIn>[number]): Transaction =>
  tr.addMark(base + start, base + end, tr.doc.type.schema.mark("link", { href, bare: true }));

const bareLink = (node: Node) => node.marks.find(({ type, attrs }) => type.name === "link" && attrs["bare"] === true);

/** Looks anew at links of this kind that a change touches, together with the words that stand right beside them. */
function followWords(tr: Transaction, doc: Node, { from, to }: Range): void {
  doc.nodesBetween(Math.max(0, from - 1), Math.min(doc.content.size, to + 1), (block, pos) => {
    if (!block.isTextblock) return;
    block.forEach((node, offset, index) => {
      const link = bareLink(node);
      if (link === undefined) return;
      const plain = link.removeFromSet(node.marks);
      const beside = (other: Node | null): string => (other?.isText === true && Mark.sameSet(other.marks, plain) ? (other.text ?? "") : "");
      const before = /\S*$/.exec(beside(block.maybeChild(index - 1)))![0];
      const after = /^\S*/.exec(beside(block.maybeChild(index + 1)))![0];
      const start = pos + 1 + offset;
      const end = start + node.nodeSize;
      if (start - before.length > to || end + after.length < from) return;
      const base = start - before.length;
      const found = addressesIn(before + (node.text ?? "") + after).find((each) => base + each.start < end && base + each.end > start);
      if (found !== undefined && base + found.start === start && base + found.end === end && found.href === link.attrs["href"]) return;
      tr.removeMark(start, end, link);
      if (found !== undefined) mark(tr, base, found);
    });
    return false;
  });
}
