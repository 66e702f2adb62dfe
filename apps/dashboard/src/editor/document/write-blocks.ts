import type { Node } from "@tiptap/pm/model";
import { writeInline } from "./write-inline.ts";
import type { MarkdownStyle } from "./write-inline.ts";

/** One block as Markdown, without the line break at its end. Whether it reads back as the same block is for others to check. */
export function writeBlock(node: Node, style: MarkdownStyle, nested = false, marker?: string): string {
  switch (node.type.name) {
    case "heading":
      return heading(node, style);
    case "blockquote":
      return prefixed(writeChildren(node, style, "\n\n"), "> ", "> ");
    case "bulletList":
    case "orderedList":
      return list(node, style, marker ?? String(node.attrs["marker"]));
    case "callout":
      return callout(node, style);
    case "footnote": {
      const content = writeChildren(node, style, "\n\n");
      const opening = `[^${String(node.attrs["label"])}]:`;
      // A note that begins with anything but words begins on the next line.
      if (content !== "" && node.firstChild!.type.name !== "paragraph") return `${opening}\n${prefixed(content, "    ", "    ")}`;
      return `${opening} ${prefixed(content, "", "    ")}`.trimEnd();
    }
    case "horizontalRule":
      return nested ? "___" : "---";
    case "embed": {
      const { name, label, attributes } = node.attrs as { name: string; label: string; attributes: string };
      return `::${name}${label === "" ? "" : `[${label}]`}{${attributes}}`;
    }
    case "codeBlock":
      return code(node);
    case "sourceBlock":
      return node.textContent;
    case "table":
      return table(node, style);
    default:
      return writeInline(node, style, "block");
  }
}

function heading(node: Node, style: MarkdownStyle): string {
  const level = Number(node.attrs["level"]);
  const breaks = node.content.content.some(({ type }) => type.name === "softBreak" || type.name === "hardBreak");
  // Only an underlined heading can have several lines.
  if (breaks && level <= 2) return `${writeInline(node, style, "block")}\n${level === 1 ? "===" : "---"}`;
  const text = writeInline(node, style, "line").replace(/(^|[ \t])(#+)$/, "$1\\$2");
  return `${"#".repeat(level)} ${text}`.trimEnd();
}

function writeChildren(parent: Node, style: MarkdownStyle, separator: string): string {
  const written: string[] = [];
  let previousMarker: string | undefined;
  parent.forEach((child, _offset, i) => {
    const previous = i === 0 ? null : parent.child(i - 1);
    let marker: string | undefined;
    if (child.type.name === "bulletList" || child.type.name === "orderedList") {
      marker = String(child.attrs["marker"]);
      // Two lists in a row are two only if their markers differ.
      if (previous?.type === child.type && previousMarker === marker) marker = otherMarker(marker);
    }
    previousMarker = marker;
    written.push(writeBlock(child, style, true, marker));
  });
  return written.join(separator);
}

export const otherMarker = (marker: string): string => ({ "-": "*", "*": "-", "+": "-", ".": ")", ")": "." })[marker] ?? "*";

function list(node: Node, style: MarkdownStyle, marker: string): string {
  const tight = node.attrs["tight"] === true;
  const items: string[] = [];
  node.forEach((item, _offset, i) => {
    const bullet = node.type.name === "orderedList" ? `${Number(node.attrs["start"]) + i}${marker}` : marker;
    const checked = item.attrs["checked"] as boolean | null;
    const box = checked === null ? "" : checked ? "[x] " : "[ ] ";
    const content = box + writeChildren(item, style, tight ? "\n" : "\n\n");
    items.push(prefixed(content, `${bullet} `, " ".repeat(bullet.length + 1)).trimEnd());
  });
  return items.join(tight ? "\n" : "\n\n");
}

/** The lines of a text behind a prefix; blank lines carry no spaces. */
function prefixed(text: string, first: string, others: string): string {
  return text
    .split("\n")
    .map((line, i) => {
      const prefix = i === 0 ? first : others;
      return line === "" ? prefix.trimEnd() : prefix + line;
    })
    .join("\n");
}

/** The length of the longest, at least 2. One by one: a text can have more of them than a call can have arguments. */
function longest(runs: Iterable<RegExpExecArray>): number {
  let most = 2;
  for (const [run] of runs) most = Math.max(most, run.length);
  return most;
}

function callout(node: Node, style: MarkdownStyle): string {
  const { kind, title, attributes } = node.attrs as { kind: string; title: string; attributes: string | null };
  const content = writeChildren(node, style, "\n\n");
  const fence = ":".repeat(longest(content.matchAll(/^:{3,}/gm)) + 1);
  const opening = `${fence}${kind}${title === "" ? "" : `[${title}]`}${attributes === null ? "" : `{${attributes}}`}`;
  return content === "" ? `${opening}\n${fence}` : `${opening}\n${content}\n${fence}`;
}

function code(node: Node): string {
  const text = node.textContent;
  const info = String(node.attrs["info"]);
  const char = info.includes("`") ? "~" : "`";
  const fence = char.repeat(longest(text.matchAll(char === "`" ? /`+/g : /~+/g)) + 1);
  return `${fence}${info}\n${text === "" ? "" : `${text}\n`}${fence}`;
}

function table(node: Node, style: MarkdownStyle): string {
  const rows = node.content.content.map((row) =>
    row.content.content.flatMap((cell) => {
      const text = writeInline(cell.firstChild!, style, "cell");
      return [text, ...Array.from({ length: Number(cell.attrs["colspan"]) - 1 }, () => "")];
    }),
  );
  const columns = Math.max(...rows.map((row) => row.length));
  const rules: string[] = [];
  node.firstChild!.forEach((cell) => {
    const align = cell.attrs["align"] as string | null;
    rules.push(align === "center" ? ":-:" : align === "right" ? "--:" : align === "left" ? ":--" : "---");
  });
  const line = (cells: readonly string[]): string => `| ${Array.from({ length: columns }, (_, i) => cells[i] ?? "").join(" | ")} |`;
  while (rules.length < columns) rules.push("---");
  return [line(rows[0]!), line(rules), ...rows.slice(1).map(line)].join("\n");
}
