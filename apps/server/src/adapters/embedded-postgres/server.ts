import { spawn } from "node:child_process";
import { chown, open, readFile, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Account, asAccount } from "./account.ts";
import type { Binaries } from "./binaries.ts";
import { ENVIRONMENT, workingFolder } from "./cluster.ts";
import { describeProcess, isAlive } from "./processes.ts";

/** How long the server may take to write everything out before it is ended at once. */
const FAST_SHUTDOWN_MILLIS = 60_000;
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;

export interface ServerOptions {
  /** The data folder of PostgreSQL. Absolute. */
  readonly folder: string;
  /** PostgreSQL writes its own log here. */
  readonly logFile: string;
  readonly binaries: Binaries;
  readonly account: Account;
  /** Options of PostgreSQL for this start, on top of postgresql.conf. */
  readonly settings: Readonly<Record<string, string>>;
}

/** A server that was started here. It may still end by itself: then `failure` says why. */
export interface StartedServer {
  hasEnded(): boolean;
  /** The last lines it wrote since this start. */
  failure(): Promise<string>;
}

export async function startServer(options: ServerOptions): Promise<StartedServer> {
  await disownForeignPid(options.folder);
  const log = await openLog(options.logFile);
  const from = (await log.stat()).size;
  const settings = {
    ...options.settings,
    listen_addresses: "",
    // Relative, so that it is short however deep the folder lies. The server's working folder is its data folder.
    unix_socket_directories: ".",
    unix_socket_permissions: "0700",
  };
  let ended = false;
  let spawnError = "";
  try {
    const child = spawn(
      options.binaries.postgres,
      [
        "-D",
        workingFolder(options.folder, options.account),
        ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ],
      {
        ...asAccount(options.account),
        cwd: options.folder,
        env: ENVIRONMENT,
        // A session of its own: Ctrl-C in the terminal reaches the service only, which finishes its requests first.
        detached: true,
        stdio: ["ignore", log.fd, log.fd],
      },
    );
    // At once: a server that finds the folder in use ends before the log is closed here.
    child.once("exit", () => (ended = true));
    child.once("error", (error) => {
      ended = true;
      spawnError = error.message;
    });
    child.unref();
  } finally {
    await log.close();
  }
  return {
    hasEnded: () => ended,
    failure: async () => spawnError || (await readFile(options.logFile)).subarray(from).toString("utf8").trim(),
  };
}

/** Fast shutdown: open transactions are rolled back, everything committed is on disk, no recovery at the next start. */
export const stopServer = (folder: string): Promise<void> => signalServer(folder, "SIGINT");

/** Ended at once. Safe: the next start recovers from the log that was written before every commit. */
export const endServer = (folder: string): Promise<void> => signalServer(folder, "SIGQUIT");

async function signalServer(folder: string, signal: "SIGINT" | "SIGQUIT"): Promise<void> {
  const pid = await readPid(folder);
  if (pid === null) return;
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return;
    throw error;
  }
  const deadline = Date.now() + FAST_SHUTDOWN_MILLIS;
  while (isAlive(pid) && (await readPid(folder)) === pid) {
    if (Date.now() > deadline) process.kill(pid, "SIGQUIT");
    await sleep(20);
  }
}

/** The process id of the server according to its own file, null when none runs. */
export async function readPid(folder: string): Promise<number | null> {
  return parsePid(await readFile(path.join(folder, "postmaster.pid"), "utf8").catch(() => ""));
}

function parsePid(text: string): number | null {
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

/**
 * After a crash the number in postmaster.pid may belong to another program by now, commonly in containers, where numbers
 * are small; or to the dead server itself, when nobody took note of its end. PostgreSQL would refuse to start. Our own
 * number in its place says "not running" to the server we start, and leaves the rest of the file, by which it notices
 * processes of the dead server that still live.
 */
async function disownForeignPid(folder: string): Promise<void> {
  const file = path.join(folder, "postmaster.pid");
  const text = await readFile(file, "utf8").catch(() => "");
  const pid = parsePid(text);
  const holder = pid === null ? null : describeProcess(pid);
  if (holder === null || (holder.program === "postgres" && holder.state !== "Z" && (await mayWorkIn(folder, pid!)))) return;
  const [, ...rest] = text.split("\n");
  // A server that was just stopping removes its file an instant before its process is gone: then there is nothing to disown.
  const owner = await stat(file).catch(() => null);
  if (owner === null) return;
  const { uid, gid, mode } = owner;
  // Beside it first: on a full disk the file would be left empty, which PostgreSQL takes for a server that is starting.
  const beside = `${file}.new-${process.pid}`;
  await writeFile(beside, [process.pid, ...rest].join("\n"), { mode });
  if (process.getuid?.() === 0) await chown(beside, uid, gid);
  await rename(beside, file);
}

/** A PostgreSQL works in its data folder: one that works elsewhere, such as that of another install, only has the number. */
async function mayWorkIn(folder: string, pid: number): Promise<boolean> {
  const [here, there] = await Promise.all([stat(folder), stat(`/proc/${pid}/cwd`).catch(() => null)]);
  return there === null || (here.dev === there.dev && here.ino === there.ino);
}

async function openLog(file: string) {
  const size = await stat(file).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_LIMIT_BYTES) await rename(file, `${file}.1`);
  return open(file, "a", 0o600);
}
