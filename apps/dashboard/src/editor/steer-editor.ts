import type { Editor } from "@tiptap/core";
import { TextSelection } from "@tiptap/pm/state";
import type { BodySession } from "./document/body-session.ts";
import { headingIds } from "./document/measure-body.ts";

/** Another text in place of this one, as one step that can be undone. Who gives the text need not be told that it changed. */
export function replaceBody(editor: Editor, session: BodySession, markdown: string): void {
  if (session.save(editor.state.doc) === markdown) return;
  const { from, to, blocks } = session.reopen(markdown, editor.state.doc);
  if (from === to && blocks.length === 0) return;
  editor.view.dispatch(editor.state.tr.replaceWith(from, to, [...blocks]).setMeta("preventUpdate", true));
}

export function scrollToHeading(editor: Editor, id: string): void {
  const nextId = headingIds();
  let found = -1;
  editor.state.doc.descendants((node, pos) => {
    if (node.type.name === "heading" && nextId(node.textContent.trim()) === id && found === -1) found = pos;
  });
  if (found === -1) return;
  editor.view.dispatch(editor.state.tr.setSelection(TextSelection.near(editor.state.doc.resolve(found + 1))));
  const element = editor.view.nodeDOM(found);
  if (element instanceof HTMLElement) element.scrollIntoView({ block: "start", behavior: "smooth" });
  editor.view.focus();
}
