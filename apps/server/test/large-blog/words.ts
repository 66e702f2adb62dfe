/** The same numbers every time, between 0 and 1 (mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SYLLABLES =
  "ba ker lin mo ra tu ves con del fi gar hon ir jas ku lor men nio pal quer ros sen tam ul vo win xan yel zor bri cla dru".split(" ");

/** Made-up words, the first ones short and frequent. None occurs twice. */
export const VOCABULARY: readonly string[] = Array.from({ length: 20_000 }, (_, n) => {
  const syllable = (index: number) => SYLLABLES[index % SYLLABLES.length]!;
  const high = Math.floor(n / SYLLABLES.length);
  return syllable(n) + syllable(high + 7) + (high >= SYLLABLES.length ? syllable(Math.floor(high / SYLLABLES.length) + 13) : "");
});

/** A place in a list of this length; the early ones far more often, as words and tags are used. */
export const often = (next: () => number, length: number): number => Math.min(length - 1, Math.floor(length ** next()) - 1);

export const wordsOf = (next: () => number, count: number): string[] =>
  Array.from({ length: count }, () => VOCABULARY[often(next, VOCABULARY.length)]!);
