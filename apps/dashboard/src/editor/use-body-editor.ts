import { useEditor } from "@tiptap/react";
import type { Editor } from "@tiptap/react";
import { useEffect, useRef } from "react";
import { AutoLinks, plainAddresses } from "./behaviour/auto-links.ts";
import { Figures } from "./behaviour/figures.ts";
import { Footnotes } from "./behaviour/footnotes.ts";
import { LinkKeys } from "./behaviour/link-keys.ts";
import { MarkdownClipboard } from "./behaviour/markdown-clipboard.ts";
import { ParagraphAtEnd } from "./behaviour/paragraph-at-end.ts";
import { Pasting } from "./behaviour/pasting.ts";
import { Placeholder } from "./behaviour/placeholder.ts";
import { SlashMenu } from "./behaviour/slash-menu.ts";
import { TableEditing } from "./behaviour/table-editing.ts";
import { Cursors, Undo } from "./behaviour/undo.ts";
import { Uploads } from "./behaviour/uploads.ts";
import type { BodyEditorProps } from "./body-editor-props.ts";
import { BodySession } from "./document/body-session.ts";
import { measureBody } from "./document/measure-body.ts";
import { shownExtensions } from "./shown-extensions.ts";

/** How long after the last key the words are counted, in milliseconds. */
const MEASURE_AFTER = 250;

/** The editor of one body, and what writes it as Markdown. */
export function useBodyEditor(props: Omit<BodyEditorProps, "ref">): { readonly editor: Editor; readonly session: () => BodySession } {
  const latest = useRef(props);
  const session = useRef<BodySession | null>(null);
  const prefersSource = useRef(false);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => {
    latest.current = props;
  });

  const measure = (editor: Editor): void => {
    const { onWordCount, onOutline } = latest.current;
    const { words, headings } = measureBody(editor.state.doc);
    onWordCount?.(words);
    onOutline?.(headings);
  };

  const editor = useEditor({
    extensions: [
      ...shownExtensions,
      Undo,
      Cursors,
      TableEditing,
      MarkdownClipboard,
      Placeholder.configure({ text: props.placeholder ?? "Write, or type / for blocks" }),
      SlashMenu,
      Figures,
      Footnotes,
      AutoLinks,
      ParagraphAtEnd,
      LinkKeys,
      Pasting,
      Uploads,
    ],
    // The Content-Security-Policy allows no style that a script writes; ours are in editor.css.
    injectCSS: false,
    editable: !(props.readOnly ?? false),
    autofocus: props.autofocus === true ? "end" : false,
    shouldRerenderOnTransaction: false,
    editorProps: {
      attributes: {
        class: "post-body",
        role: "textbox",
        "aria-multiline": "true",
        "aria-label": props.label ?? "Body of the post",
        spellcheck: "true",
      },
    },
    onBeforeCreate: ({ editor: created }) => {
      session.current = new BodySession(created.schema);
      plainAddresses.set(created, session.current.plainAddresses);
      const opened = session.current.open(props.initialMarkdown);
      created.options.content = opened.doc as never;
      prefersSource.current = opened.preferSource;
    },
    onCreate: ({ editor: created }) => {
      measure(created);
      if (prefersSource.current) latest.current.onPreferSource?.();
    },
    onUpdate: ({ editor: changed }) => latest.current.onChange(() => session.current!.save(changed.state.doc)),
    onTransaction: ({ editor: changed, transaction }) => {
      if (!transaction.docChanged) return;
      clearTimeout(timer.current);
      timer.current = setTimeout(() => {
        if (!changed.isDestroyed) measure(changed);
      }, MEASURE_AFTER);
    },
  });
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    editor.setEditable(!(props.readOnly ?? false), false);
  }, [editor, props.readOnly]);
  return { editor, session: () => session.current! };
}
