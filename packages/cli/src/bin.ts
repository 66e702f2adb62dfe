#!/usr/bin/env node
import type { Commands } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { describeCommands, runCommand } from "./run-command.ts";
import { withoutSecrets } from "./session/shown.ts";

const ALL: Commands = {
  ...COMMANDS,
  help: {
    usage: "help",
    about: "show this list",
    load: async () => async () => {
      process.stdout.write(`Usage: stet COMMAND\n\n${describeCommands(ALL)}\n`);
      return 0;
    },
  },
};

try {
  process.exitCode = await runCommand(ALL, process.argv.slice(2));
} catch (error) {
  // Errors we wrote for people are shown as they are; anything else is a bug, and its stack helps.
  const isForPeople = error instanceof Error && error.constructor === Error;
  const words = isForPeople ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${withoutSecrets(words ?? "")}\n`);
  process.exitCode = 1;
}
