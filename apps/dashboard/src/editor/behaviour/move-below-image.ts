import { TextSelection } from "@tiptap/pm/state";
import type { Transaction } from "@tiptap/pm/state";

/**
 * Moves the cursor from behind an image that is alone in its paragraph to the next paragraph: words beside the image would become part of
 * its line. `end` is the position behind the image; a cursor that is elsewhere by now stays there.
 */
export function moveBelowImage(tr: Transaction, end: number): void {
  const $end = tr.doc.resolve(end);
  const { parent } = $end;
  if (!tr.selection.empty || tr.selection.from !== end || parent.type.name !== "paragraph" || parent.childCount > 1) return;
  const below = $end.after();
  const index = $end.indexAfter(-1);
  const next = $end.node(-1).maybeChild(index);
  if (next?.type !== parent.type || next.childCount > 0) {
    if (!$end.node(-1).canReplaceWith(index, index, parent.type)) return;
    tr.insert(below, parent.type.create());
  }
  tr.setSelection(TextSelection.create(tr.doc, below + 1)).scrollIntoView();
}
