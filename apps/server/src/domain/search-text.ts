import { foldWhole } from "#domain/fold";

/** Marks around what was found, in text that is not escaped yet: private characters that no text of ours holds. */
export const MARK = { start: "\uE000", end: "\uE001" } as const;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
  [MARK.start]: "<mark>",
  [MARK.end]: "</mark>",
};

/** A highlight that can be put into a page as it is: everything is text but our own `<mark>`. */
export const safeHighlight = (marked: string): string => marked.replaceAll(/[&<>"'\uE000\uE001]/g, (character) => ESCAPES[character]!);

export interface TypedSearch {
  /** All of it, in the syntax people know from web searches. */
  readonly whole: string;
  /** The text before the last word, which may still be being typed, and that word. Null when it is not a plain word. */
  readonly unfinished: { readonly before: string; readonly word: string } | null;
  /** Plain words, for finding typing errors. */
  readonly words: readonly string[];
}

const LAST_WORD = /(^|\s)([\p{L}\p{N}]{2,})$/u;

/** Reads what was typed. Quotes, `-` and `or` keep their meaning; only a plain last word is taken as unfinished. */
export function readSearch(text: string): TypedSearch {
  const whole = text
    .replaceAll("\u0000", " ")
    .replaceAll(/[\uE000\uE001]/g, " ")
    .trim();
  const isQuoted = (whole.match(/"/g)?.length ?? 0) % 2 === 1;
  const last = isQuoted ? null : LAST_WORD.exec(whole);
  const word = last?.[2];
  return {
    whole,
    unfinished: word && word.toLowerCase() !== "or" ? { before: whole.slice(0, whole.length - word.length), word } : null,
    words: whole.match(/[\p{L}\p{N}]{3,}/gu)?.slice(0, 8) ?? [],
  };
}

const WORD = /[\p{L}\p{N}]+/gu;

/** Marks the words of a text that hold one of these (folded) words. For stores that cannot do it themselves. */
export function highlightWords(text: string, words: readonly string[]): string {
  const clean = text.replaceAll(/[\uE000\uE001]/g, "");
  return safeHighlight(
    clean.replaceAll(WORD, (word) => (words.some((wanted) => foldWhole(word).includes(wanted)) ? `${MARK.start}${word}${MARK.end}` : word)),
  );
}

/** About 200 characters around the first of these words. */
export function snippetOf(text: string, words: readonly string[]): string {
  const first = positionOf(text, words);
  const start = first < 60 ? 0 : text.lastIndexOf(" ", first - 40) + 1;
  const end = text.indexOf(" ", start + 200);
  return `${start > 0 ? "… " : ""}${text.slice(start, end === -1 ? start + 400 : end).toWellFormed()}${end === -1 ? "" : " …"}`;
}

function positionOf(text: string, words: readonly string[]): number {
  for (const match of text.matchAll(WORD)) {
    const word = foldWhole(match[0]);
    if (words.some((wanted) => word.includes(wanted))) return match.index;
  }
  return 0;
}
