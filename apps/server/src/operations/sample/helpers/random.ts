/** Numbers that look random and are the same for the same seed in every install (mulberry32). */
export function seeded(seed: number): (below: number) => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

/** `count` of them, each once, in their own order. */
export function pick<T>(from: readonly T[], count: number, random: (below: number) => number): readonly T[] {
  const left = from.map((_, index) => index);
  while (left.length > count) left.splice(random(left.length), 1);
  return left.map((index) => from[index]!);
}
