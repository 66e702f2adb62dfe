/** A textarea knows one kind of line end. */
export const withPlainLineEnds = (text: string): string => text.replace(/\r\n?/g, "\n");

/** Gives an edited text the line ends of the original: exactly where it was not touched, and the first kind elsewhere. */
export function restoreLineEnds(original: string, edited: string): string {
  const plain = withPlainLineEnds(original);
  if (plain === original) return edited;
  if (plain === edited) return original;
  let start = 0;
  while (start < plain.length && start < edited.length && plain[start] === edited[start]) start++;
  let end = 0;
  const most = Math.min(plain.length, edited.length) - start;
  while (end < most && plain.at(-1 - end) === edited.at(-1 - end)) end++;
  const eol = /\r\n?|\n/.exec(original)![0];
  const middle = edited.slice(start, edited.length - end).replaceAll("\n", eol);
  const { at, total } = positions(original);
  return original.slice(0, at(start)) + middle + original.slice(at(total - end));
}

/** Where a position in the plain text stands in the original. */
function positions(original: string): { readonly at: (plain: number) => number; readonly total: number } {
  const pairs = [...original.matchAll(/\r\n/g)].map((match, i) => match.index - i);
  return {
    // Each pair that lies wholly before the position is one character longer.
    at: (plain) => plain + pairs.filter((pair) => pair < plain).length,
    total: original.length - pairs.length,
  };
}
