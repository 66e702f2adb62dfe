import type { FootnoteEnv } from "@stet/markdown";
import type { MarkdownIt, StateCore, Token } from "markdown-it";

/** Label → number and count of references, in the order of first reference. */
type UsedNotes = ReadonlyMap<string, { readonly number: number; readonly references: number }>;

/** Footnotes as on GitHub: numbered by first reference and put at the end; those nobody refers to are left out. */
export function footnoteSection(md: MarkdownIt): void {
  // After figures: a way back that stands beside an image would make it none.
  md.core.ruler.after("figures", "footnote_section", (state) => {
    const { footnotes, footnoteReferences = [] }: FootnoteEnv = state.env;
    if (footnotes !== undefined) moveToEnd(state, numberNotes(footnoteReferences));
  });
}

function numberNotes(references: readonly Token[]): UsedNotes {
  const notes = new Map<string, { readonly number: number; references: number }>();
  for (const token of references) {
    const label = String(token.meta!["label"]);
    const note = notes.get(label) ?? { number: notes.size + 1, references: 0 };
    notes.set(label, note);
    note.references++;
    token.meta = { number: note.number, reference: note.references };
  }
  return notes;
}

/** Takes the notes out of where they were defined and puts those in use at the end. */
function moveToEnd(state: StateCore, used: UsedNotes): void {
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
  if (used.size > 0) {
    body.push(tokenOf(state, "footnotes_open", 1));
    for (const [label, { number, references }] of used) {
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
