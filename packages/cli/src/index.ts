// For `npm run stet` in a checkout, which has these commands too. What is published is the program alone.
export { type Command, type Commands } from "./command.ts";
export { COMMANDS } from "./commands.ts";
export { login } from "./commands/login.ts";
export { readArguments, stopIfWrong } from "./options.ts";
export { describeCommands, runCommand } from "./run-command.ts";
