import type { MarkdownIt, StateBlock } from "markdown-it";
import { GRAMMAR_LIMITS } from "./limits.ts";

/**
 * Keeps the two constructs whose cost outgrows their length within bounds (see GRAMMAR_LIMITS). The library would drop what is
 * nested too deep; here it becomes plain text.
 */
export function guard(md: MarkdownIt): void {
  md.block.ruler.before("table", "too_deep", tooDeep);
  const table = md.block.ruler.__rules__.find((rule) => rule.name === "table")!;
  const readTable = table.fn;
  md.block.ruler.at(
    "table",
    (state, startLine, endLine, silent) => {
      const left = (state.env["tableCellsLeft"] as number | undefined) ?? GRAMMAR_LIMITS.tableCells;
      const rows = Math.floor(left / columnsAt(state, startLine + 1));
      if (rows < 1) return false;
      const before = state.tokens.length;
      // Rows beyond the bound are not part of the table, so they become a paragraph.
      if (!readTable(state, startLine, Math.min(endLine, startLine + 1 + rows), silent)) return false;
      // A cell is three tokens: open, content, close.
      if (!silent) state.env["tableCellsLeft"] = left - Math.ceil((state.tokens.length - before) / 3);
      return true;
    },
    { alt: table.alt },
  );
}

/** At most how many columns the delimiter row of a table (`|---|---|`) makes. */
function columnsAt(state: StateBlock, line: number): number {
  const end = state.eMarks[line] ?? 0;
  let pipes = 0;
  for (let at = state.bMarks[line] ?? 0; at < end; at++) if (state.src.charCodeAt(at) === 0x7c) pipes++;
  return pipes + 1;
}

function tooDeep(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (state.level < GRAMMAR_LIMITS.blockDepth) return false;
  if (silent) return true;
  let line = startLine + 1;
  while (line < endLine && !state.isEmpty(line) && state.sCount[line]! >= state.blkIndent) line++;
  const token = state.push("plain_paragraph", "p", 0);
  token.content = state.getLines(startLine, line, state.blkIndent, false);
  token.map = [startLine, line];
  state.line = line;
  return true;
}
