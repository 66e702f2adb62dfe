import { runCli } from "#main/run-cli";
import type { CommandRun, Ran } from "#test/stet-command";

/** Runs the commands that it is sent, one at a time, each as `cli.ts` does in a process of its own. */
process.on("message", async ({ args, settings }: CommandRun) => {
  process.env = { ...settings };
  const said = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  for (const name of ["stdout", "stderr"] as const) {
    process[name].write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      said[name].push(Buffer.from(chunk as string));
      const done = rest.at(-1);
      if (typeof done === "function") process.nextTick(done as () => void);
      return true;
    };
  }
  const code = await runCli(args);
  const ran: Ran = { code, stdout: Buffer.concat(said.stdout).toString(), stderr: Buffer.concat(said.stderr).toString() };
  process.send!(ran);
});
