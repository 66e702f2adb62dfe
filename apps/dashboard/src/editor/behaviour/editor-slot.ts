import type { Editor } from "@tiptap/core";

/** Something that a page hands to one editor and may replace at any time, read by the editor's own parts. */
export function editorSlot<T>(): { set(editor: Editor, value: T): void; get(editor: Editor): T | undefined } {
  const values = new WeakMap<Editor, T>();
  return { set: (editor, value) => void values.set(editor, value), get: (editor) => values.get(editor) };
}
