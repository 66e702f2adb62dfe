import type { Statement } from "../database.ts";

/** Part of a statement: pieces of text with values between them. A class, so that nothing a caller sends can pass for one. */
export class Fragment {
  readonly pieces: readonly string[];
  readonly values: readonly unknown[];

  constructor(pieces: readonly string[], values: readonly unknown[]) {
    this.pieces = pieces;
    this.values = values;
  }
}

/** A statement as it is read: values stand where they are meant and travel apart from the text; fragments are woven in. */
export function sql(texts: TemplateStringsArray, ...inserted: readonly unknown[]): Fragment {
  return woven(texts, inserted);
}

/** One piece of text more than there are values between them. */
function woven(texts: readonly string[], inserted: readonly unknown[]): Fragment {
  const pieces: string[] = [];
  const values: unknown[] = [];
  let open = texts[0]!;
  for (let index = 0; index < inserted.length; index++) {
    const value = inserted[index];
    const following = texts[index + 1]!;
    if (value instanceof Fragment) {
      open += value.pieces[0]!;
      for (let inner = 0; inner < value.values.length; inner++) {
        pieces.push(open);
        values.push(value.values[inner]);
        open = value.pieces[inner + 1]!;
      }
      open += following;
    } else {
      pieces.push(open);
      values.push(value);
      open = following;
    }
  }
  pieces.push(open);
  return new Fragment(pieces, values);
}

/** A name or keyword that stands in our own source. Never give it anything from outside. */
export const raw = (text: string): Fragment => new Fragment([text], []);

export const nothing = raw("");

export function join(fragments: readonly Fragment[], separator: string): Fragment {
  if (fragments.length === 0) return nothing;
  return woven(["", ...Array.from({ length: fragments.length - 1 }, () => separator), ""], fragments);
}

/** All of these conditions. */
export const every = (conditions: readonly Fragment[]): Fragment => (conditions.length === 0 ? raw("true") : join(conditions, " AND "));

export function statementOf({ pieces, values }: Fragment): Statement {
  let text = pieces[0]!;
  for (let index = 1; index < pieces.length; index++) text += `$${index}${pieces[index]}`;
  return { text, values: [...values] };
}
