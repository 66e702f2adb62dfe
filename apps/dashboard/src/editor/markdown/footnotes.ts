import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";

const LABEL = /^\[\^([^\s[\]]{1,200})\]/;

/**
 * `[^label]` and `[^label]: note`, read as the service reads them, but left where they stand: the editor shows a note
 * where it was written. The labels that are defined travel in `env.footnotes`, so that one block can be read alone.
 */
export function footnotes(md: MarkdownIt): void {
  md.block.ruler.before("reference", "footnote_definition", definition, { alt: ["paragraph", "reference"] });
  md.inline.ruler.before("link", "footnote_reference", reference);
}

function definition(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (state.sCount[startLine]! - state.blkIndent >= 4) return false;
  const start = state.bMarks[startLine]! + state.tShift[startLine]!;
  const end = state.eMarks[startLine]!;
  if (!state.src.startsWith("[^", start)) return false;
  const label = LABEL.exec(state.src.slice(start, Math.min(end, start + 210)))?.[1];
  const colon = start + (label?.length ?? 0) + 3;
  if (label === undefined || colon >= end || state.src[colon] !== ":") return false;
  if (silent) return true;

  ((state.env["footnotes"] ??= new Set()) as Set<string>).add(label);
  const open = state.push("footnote_definition_open", "", 1);
  open.meta = { label };

  const bodyStart = state.skipSpaces(colon + 1);
  const before = {
    bMark: state.bMarks[startLine]!,
    tShift: state.tShift[startLine]!,
    sCount: state.sCount[startLine]!,
    parentType: state.parentType,
    tight: state.tight,
  };
  state.bMarks[startLine] = colon + 1;
  state.tShift[startLine] = Math.min(bodyStart, end) - colon - 1;
  state.blkIndent += 4;
  state.sCount[startLine] = state.blkIndent;
  state.parentType = "footnote";
  state.md.block.tokenize(state, startLine, endLine);
  if (state.line <= startLine) state.line = startLine + 1;
  state.blkIndent -= 4;
  state.bMarks[startLine] = before.bMark;
  state.tShift[startLine] = before.tShift;
  state.sCount[startLine] = before.sCount;
  state.parentType = before.parentType;
  state.tight = before.tight;

  state.push("footnote_definition_close", "", -1);
  open.map = [startLine, state.line];
  return true;
}

function reference(state: StateInline, silent: boolean): boolean {
  const defined = state.env["footnotes"] as ReadonlySet<string> | undefined;
  if (defined === undefined || !state.src.startsWith("[^", state.pos)) return false;
  const label = LABEL.exec(state.src.slice(state.pos, Math.min(state.posMax, state.pos + 210)))?.[1];
  if (label === undefined || !defined.has(label)) return false;
  if (!silent) state.push("footnote_reference", "", 0).meta = { label };
  state.pos += label.length + 3;
  return true;
}
