import type { Editor } from "@tiptap/core";
import {
  Asterisk,
  CodeXml,
  Heading2,
  Heading3,
  Heading4,
  ImageIcon,
  Images,
  Info,
  List,
  ListChecks,
  ListOrdered,
  type LucideIcon,
  Minus,
  Pilcrow,
  Play,
  Quote,
  SquareCode,
  Table,
} from "lucide-react";
import { insertBlock, insertTable, toggleTasks } from "../behaviour/commands.ts";
import { insertFootnote } from "../behaviour/footnotes.ts";
import type { SlashQuery } from "../behaviour/slash-menu.ts";

export interface SlashItem {
  readonly name: string;
  readonly hint: string;
  /** Other words that people type for it. */
  readonly words: string;
  readonly Icon: LucideIcon;
  /** Belongs right after a word. */
  readonly followsWords?: true;
  readonly run: (editor: Editor) => void;
}

export interface ImageSources {
  readonly upload: () => void;
  readonly pick: (() => void) | null;
}

const heading = (level: number) => (editor: Editor) => void editor.chain().focus().setNode("heading", { level }).run();

export function slashItems(images: ImageSources): readonly SlashItem[] {
  return [
    {
      name: "Text",
      hint: "Plain paragraph",
      words: "paragraph",
      Icon: Pilcrow,
      run: (editor) => void editor.chain().focus().setNode("paragraph").run(),
    },
    { name: "Heading 2", hint: "##", words: "h2 title section", Icon: Heading2, run: heading(2) },
    { name: "Heading 3", hint: "###", words: "h3 subtitle", Icon: Heading3, run: heading(3) },
    { name: "Heading 4", hint: "####", words: "h4", Icon: Heading4, run: heading(4) },
    {
      name: "Bullet list",
      hint: "-",
      words: "ul unordered",
      Icon: List,
      run: (editor) => void editor.chain().focus().toggleList("bulletList", "listItem").run(),
    },
    {
      name: "Numbered list",
      hint: "1.",
      words: "ol ordered",
      Icon: ListOrdered,
      run: (editor) => void editor.chain().focus().toggleList("orderedList", "listItem").run(),
    },
    { name: "Task list", hint: "[ ]", words: "todo checkbox check", Icon: ListChecks, run: toggleTasks },
    {
      name: "Quote",
      hint: ">",
      words: "blockquote citation",
      Icon: Quote,
      run: (editor) => void editor.chain().focus().toggleWrap("blockquote").run(),
    },
    { name: "Upload image", hint: "From this device", words: "picture photo file", Icon: ImageIcon, run: images.upload },
    ...(images.pick === null
      ? []
      : [{ name: "Image from Media", hint: "Already uploaded", words: "picture photo media", Icon: Images, run: images.pick }]),
    {
      name: "Code block",
      hint: "```",
      words: "pre snippet program",
      Icon: SquareCode,
      run: (editor) => void editor.chain().focus().setNode("codeBlock").run(),
    },
    { name: "Table", hint: "3 × 3", words: "grid rows columns", Icon: Table, run: insertTable },
    {
      name: "Callout",
      hint: "Note, tip, warning…",
      words: "note tip info warning danger aside admonition",
      Icon: Info,
      run: (editor) => void editor.chain().focus().wrapIn("callout", { kind: "note" }).run(),
    },
    {
      name: "Embed",
      hint: "YouTube, Vimeo, CodePen…",
      words: "video youtube vimeo codepen tweet x gist",
      Icon: Play,
      run: (editor) => insertBlock(editor, { type: "embed", attrs: { name: "youtube", attributes: "" } }),
    },
    {
      name: "Footnote",
      hint: "Note at the end",
      words: "reference citation",
      Icon: Asterisk,
      followsWords: true,
      run: insertFootnote,
    },
    {
      name: "Divider",
      hint: "---",
      words: "hr rule line separator",
      Icon: Minus,
      run: (editor) => insertBlock(editor, { type: "horizontalRule" }),
    },
    {
      name: "Markdown source",
      hint: "HTML, or anything else",
      words: "raw html source",
      Icon: CodeXml,
      run: (editor) => void editor.chain().focus().setNode("sourceBlock").run(),
    },
  ];
}

/** Those whose name or words begin with what was typed, names first; after a word only what belongs there, by its name. */
export function matchingItems(items: readonly SlashItem[], { text, afterWord }: SlashQuery): readonly SlashItem[] {
  const typed = text.trim().toLowerCase();
  if (afterWord) return items.filter(({ name, followsWords }) => followsWords && name.toLowerCase().startsWith(typed));
  if (typed === "") return items;
  const score = ({ name, words }: SlashItem): number => {
    const lower = name.toLowerCase();
    if (lower.startsWith(typed)) return 0;
    if (lower.split(" ").some((word) => word.startsWith(typed))) return 1;
    if (words.split(" ").some((word) => word.startsWith(typed))) return 2;
    return lower.includes(typed) ? 3 : 4;
  };
  return items
    .map((item) => ({ item, score: score(item) }))
    .filter((scored) => scored.score < 4)
    .sort((a, b) => a.score - b.score)
    .map(({ item }) => item);
}
