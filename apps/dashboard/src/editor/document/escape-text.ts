import { addressesIn } from "./grammar.ts";

/** How much of a text is escaped: what is likely to mean something, or every character that could. */
export type Escaping = "light" | "full";

const isWord = (char: string): boolean => /[\p{L}\p{N}]/u.test(char);
const isSpace = (char: string): boolean => char === "" || /\s/.test(char);
/** Characters that no Markdown source can hold as they are. */
const encoded = (text: string): string => text.replace(/[\n\r]/g, (char) => `&#${char.charCodeAt(0)};`);

/** What makes an address one; behind a backslash it is only a character. */
const LINKING = /:(?=\/\/)|(?<=^mailto):|@|(?<=www)\./gi;

/** An address that stands in a text and is meant as text: `https\\://…` is no link. */
function linkingIn(text: string): ReadonlySet<number> {
  const places = addressesIn(text).flatMap(({ start, end }) =>
    [...text.slice(start, end).matchAll(LINKING)].map(({ index }) => start + index),
  );
  return new Set(places);
}

/** A text that reads back as itself. `before` and `after` are the characters around it, empty at a line's edge. */
export function escapeText(text: string, escaping: Escaping, before: string, after: string, inLink = false): string {
  if (escaping === "full") return encoded(text.replace(/[!-/:-@[-`{-~]/g, "\\$&"));
  const linking = inLink ? null : linkingIn(text);
  let result = "";
  for (let i = 0; i < text.length; i++) {
    const char = text[i]!;
    const previous = i === 0 ? before : text[i - 1]!;
    const next = i === text.length - 1 ? after : text[i + 1]!;
    result += linking?.has(i) === true || needsEscape(char, previous, next, text, i) ? `\\${char}` : char;
  }
  return encoded(result);
}

function needsEscape(char: string, previous: string, next: string, text: string, at: number): boolean {
  switch (char) {
    case "\\":
    case "`":
      return true;
    case "*":
      return !(isSpace(previous) && isSpace(next));
    case "_":
      return !(isSpace(previous) && isSpace(next)) && !(isWord(previous) && isWord(next));
    case "~":
      return previous === "~" || next === "~";
    case "<":
      return /[A-Za-z/!?]/.test(next);
    case "&":
      return /^&(?:#|[A-Za-z][A-Za-z0-9]*;)/.test(text.slice(at, at + 40));
    case "[":
      return next === "^" || previous === "!";
    case "]":
      return next === "(" || next === "[" || next === ":";
    case "|":
      return false;
    default:
      return false;
  }
}

/** Escapes what would make a line begin a block: `#`, `-`, `1.`, `>`, `===`, `:::`. */
export function escapeLineStart(line: string): string {
  const number = /^(\d{1,9})([.)])(?=\s|$)/.exec(line);
  if (number !== null) return `${number[1]!}\\${line.slice(number[1]!.length)}`;
  if (/^(?:#{1,6}(?:\s|$)|[-+](?:\s|$)|\*\s|>|=+\s*$|-+\s*$|-[ -]*$|::|_[ _]*$|~~~|\|)/.test(line)) return `\\${line}`;
  return line;
}
