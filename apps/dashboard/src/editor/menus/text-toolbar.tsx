import { TextSelection } from "@tiptap/pm/state";
import { useEditorState } from "@tiptap/react";
import type { Editor } from "@tiptap/react";
import { Asterisk, Bold, Code, Heading2, Heading3, Italic, Link, Quote, Strikethrough } from "lucide-react";
import { insertFootnote } from "../behaviour/footnotes.ts";
import { Floating } from "./floating.tsx";
import { LinkForm } from "./link-form.tsx";
import { ToolButton } from "./tool-button.tsx";

const MOD = typeof navigator !== "undefined" && navigator.platform.startsWith("Mac") ? "⌘" : "Ctrl+";

/** What can be done with selected words; with the cursor in a link, where it leads. */
export function TextToolbar({
  editor,
  isNear,
  linking,
  onLinking,
}: {
  editor: Editor;
  /** Somebody writes, or is on the way to a toolbar. */
  isNear: boolean;
  linking: boolean;
  onLinking: (open: boolean) => void;
}) {
  const state = useEditorState({
    editor,
    selector: ({ editor: { state: now, isEditable }, editor: current }) => {
      const { selection } = now;
      const inText = selection instanceof TextSelection && selection.$from.parent.type.spec.code !== true;
      return {
        from: selection.from,
        to: selection.to,
        shows: isEditable && inText && (!selection.empty || current.isActive("link")),
        empty: selection.empty,
        bold: current.isActive("bold"),
        italic: current.isActive("italic"),
        strike: current.isActive("strike"),
        code: current.isActive("code"),
        link: current.isActive("link"),
        h2: current.isActive("heading", { level: 2 }),
        h3: current.isActive("heading", { level: 3 }),
        quote: current.isActive("blockquote"),
        href: String(current.getAttributes("link")["href"] ?? ""),
      };
    },
  });
  if (!state.shows || !(isNear || linking)) return null;
  const range = { editor, from: state.from, to: state.to, side: "above" } as const;
  if (linking || (state.empty && state.link)) {
    return (
      <Floating {...range} side={state.empty ? "below" : "above"} className="link-panel">
        <LinkForm key={`${state.href} ${linking}`} editor={editor} href={state.href} takesFocus={linking} onDone={() => onLinking(false)} />
      </Floating>
    );
  }
  const toggle = (mark: string) => () => void editor.chain().focus().toggleMark(mark).run();
  return (
    <Floating {...range} className="text-toolbar" label="Format the selected text">
      <ToolButton Icon={Bold} label="Bold" keys={`${MOD}B`} pressed={state.bold} onPress={toggle("bold")} />
      <ToolButton Icon={Italic} label="Italic" keys={`${MOD}I`} pressed={state.italic} onPress={toggle("italic")} />
      <ToolButton Icon={Strikethrough} label="Strikethrough" keys={`${MOD}Shift+S`} pressed={state.strike} onPress={toggle("strike")} />
      <ToolButton Icon={Code} label="Code" keys={`${MOD}E`} pressed={state.code} onPress={toggle("code")} />
      <ToolButton Icon={Link} label="Link" keys={`${MOD}K`} pressed={state.link} onPress={() => onLinking(true)} />
      <ToolButton Icon={Asterisk} label="Footnote" keys={`${MOD}Alt+F`} onPress={() => void insertFootnote(editor)} />
      <span className="divider" aria-hidden />
      <ToolButton
        Icon={Heading2}
        label="Heading 2"
        pressed={state.h2}
        onPress={() => void editor.chain().focus().toggleNode("heading", "paragraph", { level: 2 }).run()}
      />
      <ToolButton
        Icon={Heading3}
        label="Heading 3"
        pressed={state.h3}
        onPress={() => void editor.chain().focus().toggleNode("heading", "paragraph", { level: 3 }).run()}
      />
      <ToolButton
        Icon={Quote}
        label="Quote"
        pressed={state.quote}
        onPress={() => void editor.chain().focus().toggleWrap("blockquote").run()}
      />
    </Floating>
  );
}
