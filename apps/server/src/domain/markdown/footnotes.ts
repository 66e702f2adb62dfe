import type { Env, MarkdownIt, StateBlock, StateCore, StateInline, Token } from "markdown-it";
import { LIMITS } from "./limits.ts";

/** What is known of a document's footnotes while it is parsed. */
interface Notes {
  readonly defined: Set<string>;
  /** Label → number and count of references, in the order of first reference. */
  readonly used: Map<string, { readonly number: number; references: number }>;
  references: number;
}

/** `[^label]` and `[^label]: note`, as on GitHub: numbered by first reference, notes nobody refers to are left out. */
export function footnotes(md: MarkdownIt): void {
  md.block.ruler.before("reference", "footnote_definition", definition, { alt: ["paragraph", "reference"] });
  md.inline.ruler.before("link", "footnote_reference", reference);
  md.core.ruler.after("inline", "footnote_section", moveToEnd);
}

function notesOf(env: Env): Notes {
  return (env["footnotes"] ??= { defined: new Set(), used: new Map(), references: 0 }) as Notes;
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

  notesOf(state.env).defined.add(label);
  state.push("footnote_definition_open", "", 1).meta = { label };

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
  return true;
}

function reference(state: StateInline, silent: boolean): boolean {
  if (!state.src.startsWith("[^", state.pos)) return false;
  const notes = notesOf(state.env);
  if (notes.defined.size === 0 || notes.references >= LIMITS.footnoteReferences) return false;
  const label = LABEL.exec(state.src.slice(state.pos, Math.min(state.posMax, state.pos + 210)))?.[1];
  if (label === undefined || !notes.defined.has(label)) return false;
  if (!silent) {
    const used = notes.used.get(label) ?? { number: notes.used.size + 1, references: 0 };
    notes.used.set(label, used);
    used.references++;
    notes.references++;
    state.push("footnote_reference", "", 0).meta = { number: used.number, reference: used.references };
  }
  state.pos += label.length + 3;
  return true;
}

/** Takes the notes out of where they were defined and puts those in use at the end. */
function moveToEnd(state: StateCore): void {
  const notes = notesOf(state.env);
  if (notes.defined.size === 0) return;
  const body: Token[] = [];
  const bodies = new Map<string, Token[]>();
  const into = [body];
  for (const token of state.tokens) {
    if (token.type === "footnote_definition_open") {
      const note: Token[] = [];
      const label = String(token.meta!["label"]);
      // Of two notes with one label the first counts, as with link definitions.
      if (!bodies.has(label)) bodies.set(label, note);
      into.push(note);
    } else if (token.type === "footnote_definition_close") {
      into.pop();
    } else {
      into.at(-1)!.push(token);
    }
  }
  if (notes.used.size > 0) {
    body.push(tokenOf(state, "footnotes_open", 1));
    for (const [label, { number, references }] of notes.used) {
      body.push(tokenOf(state, "footnote_open", 1, { number }));
      const note = bodies.get(label) ?? [];
      const inLastParagraph = note.at(-1)?.type === "paragraph_close";
      for (const token of inLastParagraph ? note.slice(0, -1) : note) body.push(token);
      body.push(tokenOf(state, "footnote_back", 0, { number, references }));
      if (inLastParagraph) body.push(note.at(-1)!);
      body.push(tokenOf(state, "footnote_close", -1));
    }
    body.push(tokenOf(state, "footnotes_close", -1));
  }
  state.tokens = body;
}

function tokenOf(state: StateCore, type: string, nesting: -1 | 0 | 1, meta: Record<string, unknown> = {}): Token {
  const token = new state.Token(type, "", nesting);
  token.meta = meta;
  return token;
}
