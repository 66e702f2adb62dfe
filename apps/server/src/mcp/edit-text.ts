import { LIMITS } from "@stet/contract";
import { invalid } from "#domain/failure";

export interface TextEdit {
  readonly find: string;
  readonly replace: string;
  /** Wherever it occurs, not only where that is once. */
  readonly all?: boolean | undefined;
}

/** Characters of the text that a refusal repeats, so that they can be copied from there. */
const MOST_SHOWN = 300;
/** A text with more pieces than this is compared to the letter only: anything else would take too long. */
const MOST_PIECES = 20_000;

/** Passages that `all` changes at most. Edits that each double what is there would else grow a text without end. */
const MOST_CHANGED = 1_000;

/** Replaces each passage, in order, all or none. Each must be there exactly once, or be meant everywhere: a guess would change the wrong one. */
export function editText(text: string, edits: readonly TextEdit[]): string {
  return edits.reduce((current, { find, replace, all = false }, index) => {
    const words = brokenAsIn(current, replace);
    const found = meant(current, find, all, `edits.${index}.find`);
    // Asked before it is made: a thousand times a long text is more than the memory holds.
    if (current.length + found.length * (words.length - find.length) > LIMITS.bodyBytes) {
      throw invalid([{ field: `edits.${index}.replace`, message: "would make the text longer than a post can be" }]);
    }
    let [edited, done] = ["", 0];
    for (const { start, end } of found) {
      // Of two that overlap the second is gone with the first.
      if (start < done) continue;
      edited += current.slice(done, start) + words;
      done = end;
    }
    return edited + current.slice(done);
  }, text);
}

interface Passage {
  readonly start: number;
  readonly end: number;
}

function meant(text: string, find: string, all: boolean, field: string): readonly Passage[] {
  // Else a passage that begins with a line break would begin in the middle of one.
  const exact = passagesOf(text, brokenAsIn(text, find));
  const found = exact.length > 0 ? exact : passagesInForm(text, find, LOOKS_THE_SAME);
  if (found.length === 0) throw invalid([{ field, message: whyNotFound(text, find) }]);
  if (found.length === 1 || (all && found.length <= MOST_CHANGED)) return found;
  if (all) throw invalid([{ field, message: `occurs ${found.length} times; \`all\` changes at most ${MOST_CHANGED}` }]);
  throw invalid([
    { field, message: `occurs ${found.length} times; include more of the text around it, or set \`all\` to change every one` },
  ]);
}

/**
 * Wherever it begins, overlapping ones too. Each character is looked at about twice, whatever the two texts are (Knuth, Morris, Pratt):
 * `indexOf` takes minutes for a long passage that nearly repeats itself, and nobody else is served meanwhile.
 */
function passagesOf(text: string, find: string): readonly Passage[] {
  if (find.length > text.length) return [];
  const found: Passage[] = [];
  /** For each beginning of the passage: how much of its end is again a beginning. */
  const again = new Int32Array(find.length);
  const further = (matched: number, unit: number): number => {
    let length = matched;
    while (length > 0 && find.charCodeAt(length) !== unit) length = again[length - 1]!;
    return find.charCodeAt(length) === unit ? length + 1 : 0;
  };
  for (let at = 1; at < find.length; at++) again[at] = further(again[at - 1]!, find.charCodeAt(at));
  for (let at = 0, matched = 0; at < text.length; at++) {
    matched = further(matched === find.length ? again[matched - 1]! : matched, text.charCodeAt(at));
    if (matched === find.length) found.push({ start: at + 1 - matched, end: at + 1 });
  }
  return found;
}

/** More marks than any letter has. To put so many in order takes the square of their number. */
const MOST_MARKS = 100;
const composed = (text: string): string => (text.length > MOST_MARKS ? text : text.normalize("NFC"));

/** How a text is compared when it is not there to the letter. */
interface Form {
  /** The parts that may change their length; everything between is compared as `rest` has it. */
  readonly pieces: RegExp;
  readonly piece: (text: string) => string;
  readonly rest: (text: string) => string;
}

/** Differences that neither a reader nor a model can see: how lines end, how accents are composed, spaces that do not break. */
const LOOKS_THE_SAME: Form = {
  pieces: /\r\n?|[\u00a0\u202f\u2007]|[\s\S]\p{M}+/gu,
  piece: (text) => (text.startsWith("\r") ? "\n" : composed(text).replace(/[\u00a0\u202f\u2007]/, " ")),
  rest: (text) => text,
};

/** Characters that models write by habit instead of those in the text. */
const MEANS_THE_SAME: Form = {
  pieces: /\s{2,}|[^\S ]|[\u2018-\u201a\u201c-\u201e\u2010-\u2015\u0130]|[\s\S]\p{M}+/gu,
  piece: (text) =>
    composed(text)
      .replace(/^\s+$/, " ")
      .replace(/[\u2018-\u201a]/, "'")
      .replace(/[\u201c-\u201e]/, '"')
      .replace(/[\u2010-\u2015]/, "-")
      .toLowerCase(),
  rest: (text) => text.toLowerCase(),
};

function passagesInForm(text: string, find: string, form: Form): readonly Passage[] {
  const wanted = inForm(form, find).text;
  if (wanted === "") return [];
  const { text: folded, placeOf } = inForm(form, text);
  return passagesOf(folded, wanted).flatMap(({ start: from, end: to }) => {
    const [start, end] = [placeOf(from), placeOf(to)];
    // Begins or ends within a piece: an accent belongs to its letter.
    return start === null || end === null ? [] : [{ start, end }];
  });
}

/** The text in a form, and for each place in it the one in the original; null within a piece. */
function inForm(form: Form, text: string): { text: string; placeOf: (at: number) => number | null } {
  const stretches: { at: number; from: number; isPiece: boolean }[] = [];
  let folded = "";
  let done = 0;
  const take = (until: number, isPiece: boolean): void => {
    if (until === done) return;
    stretches.push({ at: folded.length, from: done, isPiece });
    const part = text.slice(done, until);
    folded += isPiece ? form.piece(part) : form.rest(part);
    done = until;
  };
  for (const { 0: piece, index } of text.matchAll(form.pieces)) {
    if (stretches.length > 2 * MOST_PIECES) return { text: "", placeOf: () => null };
    take(index, false);
    take(index + piece.length, true);
  }
  take(text.length, false);
  return {
    text: folded,
    placeOf(at) {
      if (at === folded.length) return text.length;
      const stretch = lastUpTo(stretches, at);
      if (!stretch) return null;
      const within = at - stretch.at;
      return stretch.isPiece && within > 0 ? null : stretch.from + within;
    },
  };
}

function lastUpTo<Stretch extends { readonly at: number }>(stretches: readonly Stretch[], at: number): Stretch | undefined {
  let [low, high] = [0, stretches.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stretches[middle]!.at <= at) low = middle + 1;
    else high = middle;
  }
  return stretches[low - 1];
}

function whyNotFound(text: string, find: string): string {
  const [near] = passagesInForm(text, find.trim(), MEANS_THE_SAME);
  if (!near) return "does not occur in the text; read that part with get_post and copy it exactly";
  const passage = text.slice(near.start, near.end);
  return passage.length <= MOST_SHOWN
    ? `is written differently in the text; copy it from there: ${JSON.stringify(passage)}`
    : "occurs only with other spaces, line breaks, quotation marks, dashes or capitals; read that part with get_post and copy it exactly";
}

/** With lines that end as those of the text do. */
const brokenAsIn = (text: string, words: string): string => (text.includes("\r\n") ? words.replaceAll(/\r?\n/g, "\r\n") : words);
