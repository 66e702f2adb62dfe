/** One command of `stet`: what follows its name on the command line, and the exit code. Progress goes to stderr, results to stdout. */
export type { Command } from "@stet/cli";
