import { isSameSecret } from "#domain/same-secret";
import type { Keyring } from "#ports/keyring";

/** Enough that nobody guesses one: 64 bits, each try being a request. */
const MARK_CHARACTERS = 16;

const markOf = (hash: string): string => hash.slice(0, MARK_CHARACTERS);
const about = (token: string): string => `mark of ${token}`;

/**
 * A token with a mark that only this install can make. A flood of made-up tokens is told from ours without asking the database, so it
 * keeps none of ours waiting. The mark alone opens nothing: whether the token is good, its record says.
 */
export const withMark = (keyring: Keyring, token: string): string => `${token}.${markOf(keyring.mac("oauth", about(token)).hash)}`;

/** False also for tokens from before there were marks: those are looked up like a stranger's. */
export function hasMark(keyring: Keyring, marked: string): boolean {
  const dot = marked.lastIndexOf(".");
  if (dot < 0) return false;
  const [token, mark] = [marked.slice(0, dot), marked.slice(dot + 1)];
  return keyring.macs("oauth", about(token)).some(({ hash }) => isSameSecret(markOf(hash), mark));
}
