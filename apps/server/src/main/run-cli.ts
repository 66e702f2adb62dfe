import { runCommand } from "@stet/cli";
import { Failure } from "#domain/failure";
import { COMMANDS } from "./commands.ts";
import { ConfigError } from "./config.ts";

/** Errors we wrote for people are shown as they are; anything else is a bug, and its stack helps. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const forPeople = error.constructor === Error || error instanceof Failure || error instanceof ConfigError;
  return forPeople ? error.message : (error.stack ?? error.message);
}

/** Runs the command that the arguments name, says why where it fails, and answers the exit code. */
export async function runCli(args: readonly string[]): Promise<number> {
  try {
    return await runCommand(COMMANDS, args);
  } catch (error) {
    process.stderr.write(`${describe(error)}\n`);
    return 1;
  }
}
