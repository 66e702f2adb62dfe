import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";

export interface CommandRun {
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly settings: Record<string, string>;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const PROGRAM = path.join(import.meta.dirname, "stet-command-process.ts");
let running: ChildProcess | null = null;
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command of `stet` in a process that all tests of a worker share: loading the code takes longer than most commands. A test of
 * how a process starts, is killed or reads its standard input starts `cli.ts` itself.
 */
export function runStet(args: readonly string[], settings: Record<string, string>): Promise<Ran> {
  const ran = last.then(() => run({ args, settings }));
  last = ran.catch(() => {});
  return ran;
}

async function run(command: CommandRun): Promise<Ran> {
  const child = (running ??= fork(PROGRAM, { execArgv: [] }));
  child.ref();
  child.channel?.ref();
  child.send(command);
  const told = await new Promise<Ran | null>((resolve) => {
    const settle = (answer: unknown) => {
      child.off("message", settle).off("exit", ended);
      resolve(answer as Ran | null);
    };
    const ended = () => settle(null);
    child.once("message", settle).once("exit", ended);
  });
  // It must not keep a worker alive that has nothing else to do.
  child.unref();
  child.channel?.unref();
  if (told) return told;
  running = null;
  throw new Error(`The process ended while it ran stet ${command.args.join(" ")}.`);
}
