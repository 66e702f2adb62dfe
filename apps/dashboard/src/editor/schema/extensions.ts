import { getSchema } from "@tiptap/core";
import type { AnyExtension } from "@tiptap/core";
import type { Schema } from "@tiptap/pm/model";
import { Blockquote, Callout, Embed, Footnote, HorizontalRule } from "./containers.ts";
import { FootnoteReference, HardBreak, HtmlInline, Image, SoftBreak } from "./inline-nodes.ts";
import { BulletList, ListItem, OrderedList } from "./lists.ts";
import { Bold, Code, Italic, Link, Strike } from "./marks.ts";
import { Table, TableCell, TableHeader, TableRoles, TableRow } from "./tables.ts";
import { CodeBlock, Document, Heading, Paragraph, SourceBlock, Text } from "./text-blocks.ts";

/** Everything a body can be made of. Those who show it give some of them a view by the same name. */
export const bodyExtensions = [
  Document,
  Paragraph,
  Text,
  Heading,
  Blockquote,
  HorizontalRule,
  Callout,
  Embed,
  Footnote,
  BulletList,
  OrderedList,
  ListItem,
  CodeBlock,
  SourceBlock,
  Table,
  TableRow,
  TableCell,
  TableHeader,
  TableRoles,
  HardBreak,
  SoftBreak,
  HtmlInline,
  Image,
  FootnoteReference,
  Link,
  Bold,
  Italic,
  Strike,
  Code,
] as const satisfies readonly AnyExtension[];

/** The schema without an editor, for reading and writing Markdown where nothing is shown. */
export const bodySchema = (): Schema => getSchema([...bodyExtensions]);
