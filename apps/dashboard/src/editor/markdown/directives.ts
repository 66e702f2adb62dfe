import type { MarkdownIt, StateBlock } from "markdown-it";
import { directiveLine, lineStarting } from "./directive-line.ts";
import { isEmbed } from "./embeds.ts";

export const CALLOUT_KINDS = ["note", "tip", "info", "warning", "danger"] as const;
const KINDS: ReadonlySet<string> = new Set(CALLOUT_KINDS);
const INTERRUPTS = { alt: ["paragraph", "reference", "blockquote", "list"] };

/** Callouts (`:::note[Title]` … `:::`) and embeds (`::youtube[Title]{id=…}`), read as the service reads them. */
export function directives(md: MarkdownIt): void {
  md.block.ruler.before("fence", "callout", callout, INTERRUPTS);
  md.block.ruler.before("fence", "embed", embed, INTERRUPTS);
}

function embed(state: StateBlock, startLine: number, _endLine: number, silent: boolean): boolean {
  const line = lineStarting(state, startLine, "::");
  const directive = line === null ? null : directiveLine(line);
  if (directive === null || directive.colons !== 2 || !isEmbed(directive.name, directive.attributes ?? "")) return false;
  if (silent) return true;
  const token = state.push("embed", "", 0);
  token.map = [startLine, startLine + 1];
  token.meta = { name: directive.name, label: directive.label.trim(), attributes: directive.attributes };
  state.line = startLine + 1;
  return true;
}

function callout(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const line = lineStarting(state, startLine, ":::");
  const directive = line === null ? null : directiveLine(line);
  if (directive === null || directive.colons < 3 || !KINDS.has(directive.name)) return false;
  if (silent) return true;

  const end = closingLine(state, startLine, endLine, directive.colons);
  const open = state.push("callout_open", "aside", 1);
  open.meta = { kind: directive.name, title: directive.label.trim(), attributes: directive.attributes };
  const { parentType, lineMax } = state;
  state.parentType = "callout";
  state.lineMax = end;
  state.md.block.tokenize(state, startLine + 1, end);
  state.parentType = parentType;
  state.lineMax = lineMax;
  state.push("callout_close", "aside", -1);
  state.line = Math.min(end + 1, endLine);
  if (end < endLine && lineStarting(state, end, ":::") === null) state.line = end;
  open.map = [startLine, state.line];
  return true;
}

/** The line that closes a callout; or the first that no longer belongs to the list item or quote it stands in. */
function closingLine(state: StateBlock, startLine: number, endLine: number, colons: number): number {
  const open = [colons];
  let codeFence = "";
  for (let line = startLine + 1; line < endLine; line++) {
    if (state.isEmpty(line)) continue;
    if (state.sCount[line]! < state.blkIndent) return line;
    const from = state.bMarks[line]! + state.tShift[line]!;
    const fence = /^(?:`{3,}|~{3,})/.exec(state.src.slice(from, Math.min(state.eMarks[line]!, from + 100)))?.[0];
    if (codeFence !== "") {
      if (fence !== undefined && fence.startsWith(codeFence)) codeFence = "";
    } else if (fence !== undefined) {
      codeFence = fence;
    } else {
      const text = lineStarting(state, line, ":::");
      if (text === null) continue;
      const closing = /^(:{3,})\s*$/.exec(text);
      if (closing === null) {
        const directive = directiveLine(text);
        if (directive !== null) open.push(directive.colons);
      } else {
        while (open.length > 1 && open.at(-1)! > closing[1]!.length) open.pop();
        if (open.at(-1)! <= closing[1]!.length) open.pop();
        if (open.length === 0) return line;
      }
    }
  }
  return endLine;
}
