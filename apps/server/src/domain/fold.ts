/** Bytes of UTF-8 kept of a folded text: enough to order by, small enough for any index. */
const KEPT_BYTES = 200;

const MARKS = /\p{M}+/gu;

/**
 * The form by which titles and names are ordered and searched: accents stripped, lower case. Both engines compare it
 * by code point, so that they page in the same order.
 */
export function fold(text: string): string {
  const folded = foldWhole(text);
  if (Buffer.byteLength(folded) <= KEPT_BYTES) return folded;
  const bytes = Buffer.from(folded);
  let end = KEPT_BYTES;
  // Not in the middle of a character: continuation bytes begin with 10.
  while ((bytes[end]! & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end);
}

/** The same without the cut, for searching in long texts. */
export function foldWhole(text: string): string {
  // A lone surrogate has no UTF-8 form, and NUL no place in PostgreSQL: neither may reach a key. Marks go before as well: to put a long run of
  // them in order takes the square of its length, and nobody else is served meanwhile.
  return text.replaceAll(MARKS, "").normalize("NFKD").replaceAll(MARKS, "").toLowerCase().toWellFormed().replaceAll("\u0000", "");
}
