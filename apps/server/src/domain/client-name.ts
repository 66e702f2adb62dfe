import type { Connection } from "#domain/connection";

const MOST_CHARACTERS = 60;
/** Fillers and the empty Braille cell are letters and signs by name, and blank to the eye. */
const BLANK = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u115F\u1160\u2800\u3164\uFFA0]+/gu;
/** Check marks, stars, shields, flags: signs by which a name would pass for a badge of ours. Plain ASCII signs are part of names (C++). */
const BADGES = /[^\P{S} -~]|\p{Me}|\p{Variation_Selector}/gu;
/** With a quotation mark of its own a name would end the quotation in which it stands. */
const QUOTES = /["`\p{Pi}\p{Pf}\u201A\u201E\u301D-\u301F\uFF02]/gu;
/** Letters of other alphabets that are drawn like plain ones, such as those of mathematics, become plain. */
const WORDS = /[\p{L}\p{M}\p{N}]+/gu;
/** More marks than any script needs on a letter cover the lines around it. */
const PILED_MARKS = /(\p{M}{3})\p{M}+/gu;

/** A name that a program gave itself, as one line that can be read and pretends to nothing. */
export function cleanClientName(value: unknown): string {
  if (typeof value !== "string") return "Unnamed app";
  const plain = value
    .toWellFormed()
    .replaceAll(BLANK, " ")
    .replaceAll(BADGES, " ")
    .replaceAll(WORDS, (word) => word.normalize("NFKC"));
  const name = plain.replaceAll(BLANK, " ").replaceAll(BADGES, " ").replaceAll(QUOTES, "'").replaceAll(PILED_MARKS, "$1");
  const characters = [...name.replaceAll(/ {2,}/g, " ").trim()];
  if (characters.length <= MOST_CHARACTERS) return characters.join("") || "Unnamed app";
  return `${characters
    .slice(0, MOST_CHARACTERS - 1)
    .join("")
    .trimEnd()}…`;
}

export const quotedName = (name: string): string => `“${cleanClientName(name)}”`;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;

/** Where the browser was sent after Allow: a website, or a program on the person's own computer. */
const isOnComputer = (redirectHost: string): boolean => redirectHost.endsWith(":") || LOOPBACK.test(redirectHost);

/**
 * How a connected app is called wherever it is named. What counts is who gets the access: the host that its description lies at, else the
 * host that the answer was sent to. The name that it gave itself stands behind that, in quotation marks. A script was named by its
 * owner, and the command line is ours.
 */
export function clientLabel({ kind, client }: Pick<Connection, "kind" | "client">): string {
  if (kind !== "ai") return cleanClientName(client.name);
  const { host, redirectHost } = client;
  const who = host ?? (redirectHost === null ? "App" : isOnComputer(redirectHost) ? "App on a computer" : redirectHost);
  return `${who} (${quotedName(client.name)})`;
}
