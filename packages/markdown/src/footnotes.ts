import type { Env, MarkdownIt, StateBlock, StateInline, Token } from "markdown-it";
import { GRAMMAR_LIMITS } from "./limits.ts";

/** What is known of a text's footnotes while it is parsed. */
export interface FootnoteEnv extends Env {
  /** The labels that are defined. */
  footnotes?: Set<string>;
  /** Every reference, in the order in which they are read. */
  footnoteReferences?: Token[];
}

/** `[^label]` and `[^label]: note`, as on GitHub. Notes are left where they stand; what nobody defines is text. */
export function footnotes(md: MarkdownIt): void {
  md.block.ruler.before("reference", "footnote_definition", definition, { alt: ["paragraph", "reference"] });
  md.inline.ruler.before("link", "footnote_reference", reference);
}

const LABEL = /^\[\^([^\s[\]]{1,200})\]/;

function definition(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  if (state.sCount[startLine]! - state.blkIndent >= 4) return false;
  const start = state.bMarks[startLine]! + state.tShift[startLine]!;
  const end = state.eMarks[startLine]!;
  if (!state.src.startsWith("[^", start)) return false;
  const label = LABEL.exec(state.src.slice(start, Math.min(end, start + 210)))?.[1];
  const colon = start + (label?.length ?? 0) + 3;
  if (label === undefined || colon >= end || state.src[colon] !== ":") return false;
  if (silent) return true;

  const env: FootnoteEnv = state.env;
  (env.footnotes ??= new Set()).add(label);
  const open = state.push("footnote_definition_open", "", 1);
  open.meta = { label };

  // The note's text begins after the colon; lines indented by four belong to it. As a list item does it.
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
  // A note without text is still a line that was read.
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
  const env: FootnoteEnv = state.env;
  if (env.footnotes === undefined || !state.src.startsWith("[^", state.pos)) return false;
  const references = (env.footnoteReferences ??= []);
  if (references.length >= GRAMMAR_LIMITS.footnoteReferences) return false;
  const label = LABEL.exec(state.src.slice(state.pos, Math.min(state.posMax, state.pos + 210)))?.[1];
  if (label === undefined || !env.footnotes.has(label)) return false;
  if (!silent) {
    const token = state.push("footnote_reference", "", 0);
    token.meta = { label };
    references.push(token);
  }
  state.pos += label.length + 3;
  return true;
}
