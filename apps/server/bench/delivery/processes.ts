import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";

/** The processes of the bench: each has a core of its own where that can be asked for, and ends with the bench. */
export function createProcesses() {
  const children: ChildProcess[] = [];

  return {
    start(name: string, core: number | undefined, env: Record<string, string> = {}): ChildProcess {
      const file = new URL(`./${name}.ts`, import.meta.url).pathname;
      // With the options that the service is started with (tools/run.mjs).
      const program = [process.execPath, ...process.execArgv, file] as const;
      const [command, ...args] = core === undefined ? program : (["taskset", "-c", String(core), ...program] as const);
      const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "inherit", "ipc"] });
      children.push(child);
      return child;
    },
    killAll(): void {
      for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill();
    },
  };
}

/** The next thing a child says; an end before it is an error. */
export function hear<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`A process of the bench ended (${String(code)}); see above.`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message as T);
    });
  });
}

export async function ask<T>(child: ChildProcess, message: object | string): Promise<T> {
  const answer = hear<T>(child);
  child.send(message);
  return answer;
}

/** Two cores that this process may use; none where they cannot be chosen. */
export async function twoCores(): Promise<readonly [number | undefined, number | undefined]> {
  if (spawnSync("taskset", ["--version"]).status !== 0) return [undefined, undefined];
  const allowed = /Cpus_allowed_list:\s*(\S+)/.exec(await readFile("/proc/self/status", "utf8"))?.[1] ?? "";
  const list = allowed.split(",").flatMap((range) => {
    const [from = Number.NaN, to = from] = range.split("-").map(Number);
    return Array.from({ length: to - from + 1 }, (_, offset) => from + offset);
  });
  return list.length > 1 ? [list[0], list[1]] : [undefined, undefined];
}
