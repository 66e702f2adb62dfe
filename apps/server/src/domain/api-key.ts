import { randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "stet_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_CHARACTERS = 34;
const CHECKSUM_CHARACTERS = 6;
const SHAPE = /^stet_[0-9A-Za-z]{40}$/;
/** The largest multiple of 62 in a byte: beyond it some characters would come more often than others. */
const UNBIASED = 248;

/** A new project key: 202 random bits. It is shown once and never stored. */
export function makeApiKey(random: (bytes: number) => Uint8Array = randomBytes): string {
  let key = PREFIX;
  while (key.length < PREFIX.length + RANDOM_CHARACTERS) {
    for (const byte of random(RANDOM_CHARACTERS)) {
      if (byte < UNBIASED && key.length < PREFIX.length + RANDOM_CHARACTERS) key += ALPHABET[byte % ALPHABET.length];
    }
  }
  return key + checksum(key);
}

/** Whether it could be a key of ours: a mistyped one is refused without a look-up. The checksum proves nothing else. */
export function isApiKey(text: string): boolean {
  return SHAPE.test(text) && text.slice(-CHECKSUM_CHARACTERS) === checksum(text.slice(0, -CHECKSUM_CHARACTERS));
}

/** First 4 … last 4, to recognise it by. */
export const maskApiKey = (key: string): string => `${key.slice(0, 4)}…${key.slice(-4)}`;

/** CRC-32 in base 62; 62^6 is larger than 2^32, so it always fits. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < CHECKSUM_CHARACTERS; i++) {
    digits = ALPHABET[rest % ALPHABET.length]! + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
