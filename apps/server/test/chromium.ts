import { type Browser, chromium } from "playwright-core";
import { canInstallDebianPackages, installDebianPackages, isExecutable } from "#test/debian-packages";
import { announce, type Part } from "#test/parts";

/** Chromium without its own windows: the same engine, and a page opens in half the time. */
const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";
const PLACES = [
  HEADLESS_SHELL,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** A Chromium of this machine. `STET_TEST_CHROMIUM` names another. */
export function findChromium(): Part<() => Promise<Browser>> {
  const named = process.env["STET_TEST_CHROMIUM"];
  const places = named ? [named] : [...PLACES, chromium.executablePath()];
  const executablePath = places.find(isExecutable);
  if (!executablePath) return { missing: `there is none at ${places.join(", ")}; install Chromium, or name it in STET_TEST_CHROMIUM` };
  // The sandbox of the browser needs rights that a container rarely has; the pages are our own. One process for all pages of a
  // window compiles the dashboard once.
  const args = ["--no-sandbox", "--disable-gpu", "--process-per-site"];
  const part = () => chromium.launch({ executablePath, args });
  return { part, detail: `at ${executablePath}` };
}

/** Installs Debian's where it can be. */
export async function prepareChromium(): Promise<Part<unknown>> {
  if (process.env["STET_TEST_CHROMIUM"] || isExecutable(HEADLESS_SHELL) || !canInstallDebianPackages()) return findChromium();
  announce("Chromium", "is being installed from Debian's packages, which takes a minute the first time");
  try {
    await installDebianPackages("chromium-headless-shell");
  } catch (error) {
    const found = findChromium();
    return "missing" in found ? { missing: `Debian's could not be installed: ${(error as Error).message}` } : found;
  }
  return findChromium();
}
