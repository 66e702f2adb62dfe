import { embedAt } from "@stet/markdown";
import { Extension } from "@tiptap/core";
import { closeHistory } from "@tiptap/pm/history";
import { Plugin, Selection } from "@tiptap/pm/state";
import type { Slice } from "@tiptap/pm/model";
import type { EditorView } from "@tiptap/pm/view";
import { toast } from "../../ui/toast.tsx";
import { cleanHtml } from "../paste/clean-html.ts";
import { footnoteLabels } from "./footnotes.ts";

/** What comes from other programs: documents are cleaned, code stays code, and the address of a video on a line of its own becomes the video. */
export const Pasting = Extension.create({
  name: "pasting",
  addProseMirrorPlugins: () => [
    new Plugin({
      props: {
        transformPastedHTML: (html, { state }) => {
          const labels = footnoteLabels(state.doc);
          const cleaned = cleanHtml(html, (label) => labels.has(label));
          if (cleaned.lostImages > 0) toast.error(wordsForLost(cleaned.lostImages));
          return cleaned.html;
        },
        handlePaste: (view, { clipboardData }, slice) => {
          if (clipboardData === null || !view.editable) return false;
          const text = clipboardData.getData("text/plain");
          if (pasteCode(view, text, clipboardData.getData("vscode-editor-data")) || pasteEmbed(view, text.trim())) return true;
          // What is copied here says itself where it is open.
          return !clipboardData.getData("text/html").includes("data-pm-slice") && pasteBlocks(view, slice);
        },
      },
    }),
  ],
});

const wordsForLost = (count: number): string =>
  count === 1
    ? "1 image was not pasted, because it is a local file. Drag the file into the text instead."
    : `${count} images were not pasted, because they are local files. Drag the files into the text instead.`;

/** What the code editor calls a language, where we have a shorter name. */
const LANGUAGES: Readonly<Record<string, string>> = {
  plaintext: "",
  javascript: "js",
  javascriptreact: "jsx",
  typescript: "ts",
  typescriptreact: "tsx",
  shellscript: "bash",
};

/** Lines from a code editor are code, in the language that it names; a single line may be meant as words. */
function pasteCode(view: EditorView, text: string, source: string): boolean {
  const { selection, schema, tr } = view.state;
  const code = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  if (source === "" || !code.includes("\n") || selection.$from.parent.type.spec.code === true) return false;
  const language = /"mode":"([\w+#.-]+)"/.exec(source)?.[1] ?? "";
  tr.replaceSelectionWith(schema.nodes["codeBlock"]!.create({ info: LANGUAGES[language] ?? language }, schema.text(code)), false);
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(tr.mapping.map(selection.from)), -1)).scrollIntoView());
  return true;
}

/** First it is the link that was pasted, then what it shows: Undo brings the link back. */
function pasteEmbed(view: EditorView, address: string): boolean {
  const { $from, empty } = view.state.selection;
  const { parent, depth } = $from;
  const embed = /["{}\s]/.test(address) ? null : embedAt(address);
  if (embed === null || !empty || parent.type.name !== "paragraph" || parent.content.size > 0) return false;
  const { schema } = view.state;
  const node = schema.nodes["embed"]!.create({ name: embed.kind, attributes: `url="${address}"` });
  const index = $from.index(depth - 1);
  if (!$from.node(depth - 1).canReplaceWith(index, index + 1, node.type)) return false;
  view.dispatch(view.state.tr.insert($from.pos, schema.text(address, [schema.mark("link", { href: address, bare: true })])));
  const tr = closeHistory(view.state.tr);
  const start = $from.before();
  tr.replaceWith(start, start + address.length + 2, node);
  const below = start + node.nodeSize;
  if (tr.doc.resolve(below).nodeAfter?.isTextblock !== true) tr.insert(below, schema.nodes["paragraph"]!.create());
  view.dispatch(tr.setSelection(Selection.near(tr.doc.resolve(below + 1))).scrollIntoView());
  return true;
}

/** A list, code or a quote that comes into a paragraph stands below it, and does not begin with the paragraph's last words. */
function pasteBlocks(view: EditorView, { content }: Slice): boolean {
  const { selection, tr } = view.state;
  const { $from, $to } = selection;
  const first = content.firstChild;
  const isText =
    first === null || first.isInline || first.type.name === "paragraph" || (first.type.name === "heading" && content.childCount === 1);
  const container = $from.depth === 0 ? null : $from.node(-1);
  if (isText || container === null || !$from.sameParent($to) || $from.parent.type.name !== "paragraph" || $from.parent.content.size === 0)
    return false;
  const index = $from.indexAfter(-1);
  if (container.type.name === "listItem" || !container.canReplace(index, index, content)) return false;
  tr.deleteSelection();
  const { pos, parentOffset, parent } = tr.selection.$from;
  if (parentOffset > 0 && parentOffset < parent.content.size) tr.split(pos);
  const at = parentOffset === 0 ? pos - 1 : pos + 1;
  tr.insert(at, content).setSelection(Selection.near(tr.doc.resolve(at + content.size), -1));
  view.dispatch(tr.scrollIntoView().setMeta("paste", true).setMeta("uiEvent", "paste"));
  return true;
}
