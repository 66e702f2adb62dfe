import { randomInt } from "node:crypto";
import { LIMITS } from "@stet/contract";
import anyAscii from "any-ascii";

const SHAPE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const RANDOM_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** 1 to 96 of a-z, 0-9 and single dashes between them. It never holds `_`, so it is never mistaken for an id. */
export const isSlug = (text: string): boolean => text.length <= LIMITS.slugCharacters && SHAPE.test(text);

/** The address a title suggests: transliterated, lower case, cut at a word. */
export function slugFrom(title: string): string {
  // An apostrophe joins what it stands between: "don't" is "dont", not "don-t".
  const words = anyAscii(title.slice(0, LIMITS.titleCharacters).toWellFormed().normalize("NFC"))
    .toLowerCase()
    .replaceAll(/['`]/g, "")
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  let slug = words.shift()?.slice(0, LIMITS.slugCharacters) ?? "untitled";
  for (const word of words) {
    if (slug.length + 1 + word.length > LIMITS.slugCharacters) break;
    slug += `-${word}`;
  }
  return slug;
}

/** The slugs to try, in this order: itself, -2 to -9, then a few that nobody else will have. */
export function* slugCandidates(base: string, random: (below: number) => number = randomInt): Generator<string> {
  yield base;
  for (let number = 2; number <= 9; number++) yield withSuffix(base, `${number}`);
  for (let attempt = 0; attempt < 5; attempt++) {
    yield withSuffix(base, Array.from({ length: 6 }, () => RANDOM_CHARACTERS[random(RANDOM_CHARACTERS.length)]).join(""));
  }
}

function withSuffix(base: string, suffix: string): string {
  const kept = base.slice(0, LIMITS.slugCharacters - suffix.length - 1).replace(/-$/, "");
  return `${kept}-${suffix}`;
}
