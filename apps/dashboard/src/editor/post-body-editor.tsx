import { EditorContent } from "@tiptap/react";
import type { Editor } from "@tiptap/react";
import { TextSelection } from "@tiptap/pm/state";
import { useImperativeHandle } from "react";
import type { BodyEditorProps } from "./body-editor-props.ts";
import type { BodySession } from "./document/body-session.ts";
import { headingIds } from "./document/measure-body.ts";
import "./editor.css";
import { useBodyEditor } from "./use-body-editor.ts";

/** The body of a post as blocks. Load it lazily: it brings the editor with it. */
export function PostBodyEditor({ ref, ...props }: BodyEditorProps) {
  const { editor, session } = useBodyEditor(props, []);
  useImperativeHandle(ref, () => ({
    getMarkdown: () => session().save(editor.state.doc),
    setMarkdown: (markdown) => replaceBody(editor, session(), markdown),
    focus: () => void editor.commands.focus(),
    insertImage: ({ url, alt }) =>
      void editor
        .chain()
        .focus()
        .insertContent({ type: "image", attrs: { src: url, alt } })
        .run(),
    scrollToHeading: (id) => scrollToHeading(editor, id),
  }));
  return (
    <div className="post-body-editor">
      <EditorContent editor={editor} />
    </div>
  );
}

function replaceBody(editor: Editor, session: BodySession, markdown: string): void {
  if (session.save(editor.state.doc) === markdown) return;
  const { from, to, blocks } = session.reopen(markdown, editor.state.doc);
  if (from === to && blocks.length === 0) return;
  editor.view.dispatch(editor.state.tr.replaceWith(from, to, [...blocks]));
}

function scrollToHeading(editor: Editor, id: string): void {
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
