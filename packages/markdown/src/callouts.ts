import type { MarkdownIt, StateBlock } from "markdown-it";
import { directiveAt, directiveLine, lineStarting } from "./directive-line.ts";

export const CALLOUT_KINDS = ["note", "tip", "info", "warning", "danger"] as const;
const KINDS: ReadonlySet<string> = new Set(CALLOUT_KINDS);

/**
 * `:::note[Title]` … `:::`. One inside another may have as many colons or fewer; one that is never closed reaches to the
 * end of what it stands in. Any other name stays text. The title is Markdown too: it stands first in the callout, and as it was
 * typed in `meta`.
 */
export function callouts(md: MarkdownIt): void {
  md.block.ruler.before("fence", "callout", callout, { alt: ["paragraph", "reference", "blockquote", "list"] });
}

function callout(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const directive = directiveAt(state, startLine, ":::");
  if (directive === null || directive.colons < 3 || !KINDS.has(directive.name)) return false;
  if (silent) return true;

  const { name: kind, label: title, attributes } = directive;
  const end = closingLine(state, startLine, endLine, directive.colons);
  const open = state.push("callout_open", "aside", 1);
  open.meta = { kind, title, attributes };
  if (title !== "") {
    state.push("callout_title_open", "p", 1);
    const inline = state.push("inline", "", 0);
    inline.content = title;
    inline.children = [];
    state.push("callout_title_close", "p", -1);
  }

  const { parentType, lineMax } = state;
  state.parentType = "callout";
  // No line beyond the closing one may continue a paragraph in here.
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
