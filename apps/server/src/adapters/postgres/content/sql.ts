import type { Statement } from "../database.ts";

/** Part of a statement: pieces of text with values between them. */
export interface Fragment {
  readonly pieces: readonly string[];
  readonly values: readonly unknown[];
}

const isFragment = (value: unknown): value is Fragment =>
  typeof value === "object" && value !== null && "pieces" in value && "values" in value;

/** A statement as it is read: values stand where they are meant and travel apart from the text; fragments are woven in. */
export function sql(texts: TemplateStringsArray, ...inserted: readonly unknown[]): Fragment {
  const pieces: string[] = [texts[0]!];
  const values: unknown[] = [];
  for (const [index, value] of inserted.entries()) {
    const following = texts[index + 1]!;
    if (!isFragment(value)) {
      values.push(value);
      pieces.push(following);
      continue;
    }
    pieces[pieces.length - 1] += value.pieces[0]!;
    for (const [inner, innerValue] of value.values.entries()) {
      values.push(innerValue);
      pieces.push(value.pieces[inner + 1]!);
    }
    pieces[pieces.length - 1] += following;
  }
  return { pieces, values };
}

/** A name or keyword that stands in our own source. Never give it anything from outside. */
export const raw = (text: string): Fragment => ({ pieces: [text], values: [] });

export const nothing = raw("");

export function join(fragments: readonly Fragment[], separator: string): Fragment {
  return fragments.reduce((all, next, index) => (index === 0 ? next : sql`${all}${raw(separator)}${next}`), nothing);
}

/** All of these conditions. */
export const every = (conditions: readonly Fragment[]): Fragment => (conditions.length === 0 ? raw("true") : join(conditions, " AND "));

export function statementOf(fragment: Fragment): Statement {
  const text = fragment.pieces.reduce((all, piece, index) => `${all}$${index}${piece}`);
  return { text, values: [...fragment.values] };
}
