export const PASSWORD = { minCharacters: 10, maxCharacters: 128 } as const;

/** The fault of a new password; null when it is fine. Only its length counts: no rules about kinds of characters. */
export function passwordProblem(password: string): string | null {
  if (password.length < PASSWORD.minCharacters)
    return `must have at least ${PASSWORD.minCharacters} characters; a few words are easiest to remember`;
  // Hashing takes as long as the input: an upper bound keeps a stranger from buying our time.
  if (password.length > PASSWORD.maxCharacters) return `must have at most ${PASSWORD.maxCharacters} characters`;
  return null;
}
