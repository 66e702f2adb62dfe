/** One command of `stet`: what follows its name on the command line, and the exit code. Progress goes to stderr, results to stdout. */
export type Command = (args: readonly string[]) => Promise<number>;

interface CommandEntry {
  readonly usage: string;
  readonly about: string;
  /** Loaded when called, so that `stet help` loads nothing else. */
  readonly load: () => Promise<Command>;
}

/** By name; a name may have two words (`plan set`). */
export type Commands = Readonly<Record<string, CommandEntry>>;

/** Everything a command says besides its result goes to stderr: the result may be read by a program. */
export const say = (message: string): void => void process.stderr.write(`${message}\n`);
