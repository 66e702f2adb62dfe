import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";

interface Terminal {
  readonly input: Readable & { readonly isTTY?: boolean };
  readonly output: Writable;
}

/** Asks the person at the terminal; null where there is nobody to ask. Ending the input, or Ctrl-C, is no. */
export async function confirm(
  question: string,
  { input, output }: Terminal = { input: process.stdin, output: process.stderr },
): Promise<boolean | null> {
  if (!input.isTTY) return null;
  const terminal = createInterface({ input, output });
  const closed = new Promise<string>((resolve) => terminal.once("close", () => resolve("")));
  const answer = await Promise.race([terminal.question(question), closed]);
  terminal.close();
  return /^y(?:es)?$/i.test(answer.trim());
}
