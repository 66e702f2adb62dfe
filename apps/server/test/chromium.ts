import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { promisify } from "node:util";
import { type Browser, chromium } from "playwright-core";
import { announce, type Part } from "./parts.ts";

const run = promisify(execFile);

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** A Chromium of this machine, as a person would use it; Debian's is installed where it is missing. `STET_TEST_CHROMIUM` names another. */
export async function findChromium(): Promise<Part<() => Promise<Browser>>> {
  const named = process.env["STET_TEST_CHROMIUM"];
  const places = named ? [named] : [...PLACES, chromium.executablePath()];
  const found = places.find(isExecutable);
  const executablePath = found ?? (named ? null : await installDebians());
  if (!executablePath) return { missing: `there is none at ${places.join(", ")}; install Chromium, or name it in STET_TEST_CHROMIUM` };
  // The sandbox of the browser needs rights that a container rarely has; the pages are our own.
  const part = () => chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  return { part, origin: found ? "found" : "installed", detail: `at ${executablePath}` };
}

/** Only root on Debian can; of several test files the others wait for the first, and find it done. */
async function installDebians(): Promise<string | null> {
  if (process.getuid?.() !== 0 || !isExecutable("/usr/bin/apt-get")) return null;
  announce("Chromium", "installed", "is being installed from Debian's packages, which takes a minute the first time");
  const aptGet = (...args: string[]) =>
    run("apt-get", ["-q", "-y", "-o", "DPkg::Lock::Timeout=600", ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      timeout: 15 * 60_000,
      maxBuffer: 64 * 1024 * 1024,
    });
  try {
    await aptGet("update");
    await aptGet("install", "--no-install-recommends", "chromium");
  } catch {
    // Said by whoever needed it: it is not there.
  }
  return PLACES.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
