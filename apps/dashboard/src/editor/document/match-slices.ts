import type { Node } from "@tiptap/pm/model";
import type { SourceSlice } from "./open-markdown.ts";

/**
 * Which slice each block came from. Blocks are immutable: one that was not touched is still the same object, wherever it
 * was moved. Those between two known ones came from the slices between those two, if from any.
 */
export function matchSlices(slices: readonly SourceSlice[], blocks: readonly Node[]): (SourceSlice | undefined)[] {
  const indexOf = new Map(slices.map(({ node }, i) => [node, i]));
  const known = blocks.map((block) => indexOf.get(block));
  const taken = new Set(known);
  const matches = known.map((index) => (index === undefined ? undefined : slices[index]));
  let start = 0;
  while (start < blocks.length) {
    if (known[start] !== undefined) {
      start++;
      continue;
    }
    let end = start;
    while (end < blocks.length && known[end] === undefined) end++;
    const from = start === 0 ? 0 : known[start - 1]! + 1;
    const to = end === blocks.length ? slices.length : known[end]!;
    // Slices whose blocks were moved away belong to where they went.
    const free = slices.slice(from, Math.max(from, to)).filter((_slice, i) => !taken.has(from + i));
    matchRun(free, blocks, start, end, matches);
    start = end;
  }
  return matches;
}

/** As many as before: one by one. Otherwise from the front and, for the gap that follows, the last with the last. */
function matchRun(
  free: readonly SourceSlice[],
  blocks: readonly Node[],
  start: number,
  end: number,
  matches: (SourceSlice | undefined)[],
): void {
  const count = end - start;
  if (free.length === 0) return;
  for (let i = 0; i < count; i++) {
    const equal = free.find(({ node }) => node.eq(blocks[start + i]!));
    if (equal !== undefined) matches[start + i] = equal;
    else if (free.length === count || (i === 0 && free.length > 0 && count > 1)) matches[start + i] = free[i];
    else if (i === count - 1) matches[start + i] = free.at(-1);
  }
}
