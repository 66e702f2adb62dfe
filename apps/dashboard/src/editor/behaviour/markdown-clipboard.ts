import { Extension } from "@tiptap/core";
import { Fragment, Slice } from "@tiptap/pm/model";
import type { Node, Schema } from "@tiptap/pm/model";
import { Plugin } from "@tiptap/pm/state";
import { openMarkdown } from "../document/open-markdown.ts";
import { saveMarkdown } from "../document/save-markdown.ts";

/** Pasted text is read as Markdown, and text copied to where there are no styles is Markdown again. */
export const MarkdownClipboard = Extension.create({
  name: "markdownClipboard",
  addProseMirrorPlugins() {
    const { schema } = this.editor;
    return [
      new Plugin({
        props: {
          // With Shift held, the text is meant as it is.
          clipboardTextParser: (text, _context, plain) => (plain ? asTyped(text, schema) : pasted(openMarkdown(text, schema).doc)),
          clipboardTextSerializer: (slice) => copied(slice, schema),
        },
      }),
    ];
  },
});

/** The first and last paragraph join what stands around the cursor. */
function pasted(doc: Node): Slice {
  const open = (node: Node | null): number => (node?.type.name === "paragraph" ? 1 : 0);
  return new Slice(doc.content, open(doc.firstChild), open(doc.lastChild));
}

function asTyped(text: string, schema: Schema): Slice {
  const paragraphs = text
    .split(/(?:\r\n?|\n)+/)
    .map((line) => schema.nodes["paragraph"]!.create(null, line === "" ? null : schema.text(line)));
  return new Slice(Fragment.fromArray(paragraphs), 1, 1);
}

function copied(slice: Slice, schema: Schema): string {
  const { content } = slice;
  const only = content.childCount === 1 ? content.firstChild : null;
  // A few words are copied as words.
  if (only !== null && only.isTextblock && slice.openStart > 0)
    return only.textBetween(0, only.content.size, "\n", (leaf) => leaf.type.spec.leafText?.(leaf) ?? "");
  const doc = schema.topNodeType.createAndFill(null, content);
  return doc === null ? content.textBetween(0, content.size, "\n\n") : saveMarkdown(openMarkdown("", schema), doc);
}
