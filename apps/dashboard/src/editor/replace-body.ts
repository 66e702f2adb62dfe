import type { Editor } from "@tiptap/core";
import type { BodySession } from "./document/body-session.ts";

/** Another text in place of this one, as one step that can be undone. Who gives the text need not be told that it changed. */
export function replaceBody(editor: Editor, session: BodySession, markdown: string): void {
  if (session.save(editor.state.doc) === markdown) return;
  const { from, to, blocks } = session.reopen(markdown, editor.state.doc);
  if (from === to && blocks.length === 0) return;
  editor.view.dispatch(editor.state.tr.replaceWith(from, to, [...blocks]).setMeta("preventUpdate", true));
}
