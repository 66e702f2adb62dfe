import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
/** How long another package manager may hold its locks before we give up, in milliseconds. */
const PATIENCE_MILLIS = 10 * 60_000;

export const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Only root on Debian and its relatives can. */
export const canInstallDebianPackages = (): boolean => process.getuid?.() === 0 && isExecutable("/usr/bin/apt-get");

/** Throws the package manager's last words when they cannot be had. */
export async function installDebianPackages(...names: readonly string[]): Promise<void> {
  await aptGet("update");
  await aptGet("install", "--no-install-recommends", ...names);
}

/**
 * The lists and the packages have a lock each, and only the second can be waited for with an option: whoever meets one that
 * is held (a machine that updates itself, a second run of the tests) tries again.
 */
async function aptGet(...args: readonly string[]): Promise<void> {
  const started = Date.now();
  for (;;) {
    try {
      await run("apt-get", ["-q", "-y", "-o", "DPkg::Lock::Timeout=600", ...args], {
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" },
        timeout: 15 * 60_000,
        maxBuffer: 64 * 1024 * 1024,
      });
      return;
    } catch (error) {
      const { stderr = "", message } = error as { stderr?: string; message: string };
      const isHeld = /Could not get lock|Unable to (lock|acquire)/.test(stderr);
      if (!isHeld || Date.now() - started > PATIENCE_MILLIS) throw new Error(lastLine(stderr) || message, { cause: error });
      await sleep(2_000);
    }
  }
}

const lastLine = (text: string): string => text.trim().split("\n").at(-1) ?? "";
