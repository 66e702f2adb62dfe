import type { Commands } from "./command.ts";

/** Runs the command that the arguments name, and answers the exit code. */
export async function runCommand(commands: Commands, args: readonly string[]): Promise<number> {
  const [first = "help", second] = args;
  const name = [`${first} ${second}`, first].find((candidate) => Object.hasOwn(commands, candidate));
  const entry = name === undefined ? undefined : commands[name];
  if (name === undefined || !entry) {
    const help = await commands["help"]!.load();
    await help([]);
    if (first === "--help" || first === "-h") return 0;
    // Last, where it is seen: the list fills a screen.
    process.stderr.write(`\nThere is no command "${first}". These are the commands:\n`);
    return 2;
  }
  const rest = args.slice(name.split(" ").length);
  if (rest.some((word) => word === "--help" || word === "-h")) {
    process.stdout.write(`Usage: stet ${entry.usage}\n\n  ${entry.about}\n`);
    return 0;
  }
  const command = await entry.load();
  return command(rest);
}

/** The commands as `stet help` lists them. */
export const describeCommands = (commands: Commands): string =>
  Object.values(commands)
    .map(({ usage, about }) => `  ${usage}\n      ${about}`)
    .join("\n");
