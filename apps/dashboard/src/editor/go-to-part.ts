import { HeadingIds } from "@stet/markdown";
import type { Editor } from "@tiptap/core";
import type { Node } from "@tiptap/pm/model";
import { NodeSelection, TextSelection } from "@tiptap/pm/state";
import type { EditorState } from "@tiptap/pm/state";
import type { BodyPart } from "./body-editor-props.ts";
import { isEmptyParagraph } from "./document/tidy.ts";

/** Selects a piece of the text and brings it into view. Of an image, the field for its words takes the focus. */
export function goToPart(editor: Editor, part: BodyPart): void {
  const { doc, tr } = editor.state;
  const found = find(doc, part);
  if (found === null) return void editor.commands.focus();
  const { pos, node } = found;
  const selection =
    part.kind === "heading" || part.kind === "block"
      ? TextSelection.near(doc.resolve(pos + 1))
      : part.kind === "image"
        ? NodeSelection.create(doc, pos)
        : TextSelection.create(doc, pos, pos + node.nodeSize);
  editor.view.dispatch(tr.setSelection(selection));
  editor.view.focus();
  const { node: at } = editor.view.domAtPos(pos + 1);
  const shown = part.kind === "link" ? (at instanceof HTMLElement ? at : at.parentElement) : editor.view.nodeDOM(pos);
  if (!(shown instanceof HTMLElement)) return;
  shown.scrollIntoView({ block: part.kind === "heading" ? "start" : "center", behavior: part.kind === "block" ? "instant" : "smooth" });
  if (part.kind === "image") shown.querySelector("input")?.focus({ preventScroll: true });
}

/** Where the cursor is. Empty lines do not count: a source has none of them. */
export function positionOf({ doc, selection }: EditorState): BodyPart | null {
  const before = doc.content.content.slice(0, selection.$from.index(0)).filter((node) => !isEmptyParagraph(node)).length;
  return before > 0 ? { kind: "block", value: String(before) } : null;
}

function blockAt(doc: Node, index: number): { readonly pos: number; readonly node: Node } | null {
  const blocks: { pos: number; node: Node }[] = [];
  doc.forEach((node, pos) => isEmptyParagraph(node) || blocks.push({ pos, node }));
  return blocks[index] ?? null;
}

function find(doc: Node, { kind, value }: BodyPart): { readonly pos: number; readonly node: Node } | null {
  if (kind === "block") return blockAt(doc, Number(value));
  const ids = new HeadingIds();
  let found: { pos: number; node: Node; isBetter: boolean } | null = null;
  const fits = (node: Node): boolean => {
    if (kind === "heading") return node.type.name === "heading" && ids.next(node.textContent.trim()) === value;
    if (kind === "image") return node.type.name === "image" && sameAddress(String(node.attrs["src"]), value);
    return node.marks.some(({ type, attrs }) => type.name === "link" && sameAddress(String(attrs["href"]), value));
  };
  doc.descendants((node, pos) => {
    if (!fits(node)) return;
    // Of an image that is shown twice, the one without words is meant.
    const isBetter = kind !== "image" || node.attrs["alt"] === "";
    if (found === null || (isBetter && !found.isBetter)) found = { pos, node, isBetter };
  });
  return found;
}

/** Readers get addresses with their odd characters encoded. */
const sameAddress = (one: string, other: string): boolean =>
  one === other || URL.parse(one, location.href)?.href === URL.parse(other, location.href)?.href;
