import { type Browser, chromium, type LaunchOptions } from "playwright-core";
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

/** `port`: where another program can steer it too. */
type Options = Pick<LaunchOptions, "ignoreDefaultArgs"> & { readonly port?: number };
export type Launch = (options?: Options) => Promise<Browser>;

/** A Chromium of this machine. `STET_TEST_CHROMIUM` names another. */
export function findChromium(): Part<Launch> {
  const named = process.env["STET_TEST_CHROMIUM"];
  return findIn(named ? [named] : [...PLACES, chromium.executablePath()]);
}

/** A Chromium as people use it, with what the one without windows leaves out, such as the back-forward cache. */
export const findWholeChromium = (): Part<Launch> =>
  findIn([...PLACES.filter((place) => place !== HEADLESS_SHELL), chromium.executablePath()]);

function findIn(places: readonly string[]): Part<Launch> {
  const executablePath = places.find(isExecutable);
  if (!executablePath) return { missing: `there is none at ${places.join(", ")}; install Chromium, or name it in STET_TEST_CHROMIUM` };
  // The sandbox of the browser needs rights that a container rarely has; the pages are our own. One process for all pages of a
  // window compiles the dashboard once.
  const args = ["--no-sandbox", "--disable-gpu", "--process-per-site"];
  const part: Launch = ({ port, ...options } = {}) =>
    chromium.launch({ executablePath, args: port === undefined ? args : [...args, `--remote-debugging-port=${port}`], ...options });
  return { part, detail: `at ${executablePath}` };
}

/** Installs Debian's where it can be. */
export async function prepareChromium(): Promise<Part<unknown>> {
  if (process.env["STET_TEST_CHROMIUM"] || isExecutable(HEADLESS_SHELL)) return findChromium();
  return install("chromium-headless-shell", findChromium);
}

export async function prepareWholeChromium(): Promise<Part<unknown>> {
  const found = findWholeChromium();
  return "missing" in found ? install("chromium", findWholeChromium) : found;
}

async function install(name: string, find: () => Part<unknown>): Promise<Part<unknown>> {
  if (!canInstallDebianPackages()) return find();
  announce("Chromium", "is being installed from Debian's packages, which takes a minute the first time");
  try {
    await installDebianPackages(name);
  } catch (error) {
    const found = find();
    return "missing" in found ? { missing: `Debian's could not be installed: ${(error as Error).message}` } : found;
  }
  return find();
}
