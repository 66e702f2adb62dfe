import { runCli } from "./run-cli.ts";

/** The entry of every process: `cli.ts COMMAND …`. */
process.exitCode = await runCli(process.argv.slice(2));
