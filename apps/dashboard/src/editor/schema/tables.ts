import { Extension, Node } from "@tiptap/core";

type Align = "left" | "center" | "right" | null;

/** What prosemirror-tables asks of a cell, and the alignment of its column. */
const cellAttributes = () => ({
  colspan: { default: 1, parseHTML: (element: HTMLElement) => Number(element.getAttribute("colspan") ?? 1) || 1 },
  rowspan: { default: 1, parseHTML: (element: HTMLElement) => Number(element.getAttribute("rowspan") ?? 1) || 1 },
  colwidth: { default: null, rendered: false },
  align: {
    default: null as Align,
    parseHTML: (element: HTMLElement): Align => {
      const align = element.getAttribute("align") ?? element.dataset["align"];
      return align === "left" || align === "center" || align === "right" ? align : null;
    },
    renderHTML: ({ align }: Record<string, unknown>) => (typeof align === "string" ? { "data-align": align } : {}),
  },
});

export const Table = Node.create({
  name: "table",
  group: "block",
  content: "tableRow+",
  isolating: true,
  parseHTML: () => [{ tag: "table" }],
  renderHTML: () => ["table", ["tbody", 0]],
});

export const TableRow = Node.create({
  name: "tableRow",
  content: "(tableCell | tableHeader)*",
  parseHTML: () => [{ tag: "tr" }],
  renderHTML: () => ["tr", 0],
});

/** A cell is one line of Markdown, so it holds one paragraph. */
export const TableCell = Node.create({
  name: "tableCell",
  content: "paragraph",
  isolating: true,
  addAttributes: cellAttributes,
  parseHTML: () => [{ tag: "td" }],
  renderHTML: ({ HTMLAttributes }) => ["td", HTMLAttributes, 0],
});

export const TableHeader = Node.create({
  name: "tableHeader",
  content: "paragraph",
  isolating: true,
  addAttributes: cellAttributes,
  parseHTML: () => [{ tag: "th" }],
  renderHTML: ({ HTMLAttributes }) => ["th", HTMLAttributes, 0],
});

const ROLES: Readonly<Record<string, string>> = { table: "table", tableRow: "row", tableCell: "cell", tableHeader: "header_cell" };

/** Tells prosemirror-tables which node plays which part. */
export const TableRoles = Extension.create({
  name: "tableRoles",
  extendNodeSchema: (extension) => ({ tableRole: ROLES[extension.name] }),
});
