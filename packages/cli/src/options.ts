import { parseArgs } from "node:util";

export interface Arguments {
  /** Of options with a value. */
  readonly values: ReadonlyMap<string, string>;
  readonly flags: ReadonlySet<string>;
  readonly positionals: readonly string[];
  /** To add to, and to hand to `stopIfWrong` at the end. */
  readonly problems: string[];
}

/** Reads the options without stopping at the first problem, as the parser itself would. */
export function readArguments(
  args: readonly string[],
  known: { values?: readonly string[]; flags?: readonly string[]; positionals?: number },
): Arguments {
  const { values: withValue = [], flags = [], positionals: wanted = 0 } = known;
  const options = Object.fromEntries([
    ...withValue.map((name) => [name, { type: "string" as const }]),
    ...flags.map((name) => [name, { type: "boolean" as const }]),
  ]);
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const read = { values: new Map<string, string>(), flags: new Set<string>(), positionals: [] as string[], problems: [] as string[] };
  for (const token of tokens) {
    if (token.kind === "positional") read.positionals.push(token.value);
    if (token.kind !== "option") continue;
    if (withValue.includes(token.name)) {
      if (read.values.has(token.name)) read.problems.push(`--${token.name} is given twice.`);
      if (token.value === undefined) read.problems.push(`--${token.name} needs a value.`);
      read.values.set(token.name, token.value ?? "");
    } else if (!flags.includes(token.name)) read.problems.push(`${token.rawName} is not an option.`);
    else if (token.value !== undefined) read.problems.push(`--${token.name} takes no value.`);
    else read.flags.add(token.name);
  }
  for (const extra of read.positionals.slice(wanted)) read.problems.push(`"${extra}" is not expected. Put text with spaces in quotes.`);
  return read;
}

/** Throws what was written wrong on the command line: everything at once, with how it is written right. */
export function stopIfWrong(problems: readonly string[], usage: string): void {
  if (problems.length === 0) return;
  throw new Error(`${problems.map((problem) => `- ${problem}`).join("\n")}\n\nUsage: stet ${usage}`);
}
