import { Failure } from "#domain/failure";
import { COMMANDS } from "./commands.ts";
import { ConfigError } from "./config.ts";

/** The entry of every process: `cli.ts COMMAND …`. A name may have two words (`plan set`). */
async function main(args: readonly string[]): Promise<number> {
  const [first = "help", second] = args;
  const name = [`${first} ${second}`, first].find((candidate) => Object.hasOwn(COMMANDS, candidate));
  const entry = name === undefined ? undefined : COMMANDS[name];
  if (name === undefined || !entry) {
    const help = await COMMANDS["help"]!.load();
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

/** Errors we wrote for people are shown as they are; anything else is a bug, and its stack helps. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const forPeople = error.constructor === Error || error instanceof Failure || error instanceof ConfigError;
  return forPeople ? error.message : (error.stack ?? error.message);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${describe(error)}\n`);
  process.exitCode = 1;
}
