import { accessSync, constants } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import type { Part } from "./parts.ts";

const PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** A Chromium of this machine, as a person would use it. `STET_TEST_CHROMIUM` names another one. */
export function findChromium(): Part<() => Promise<Browser>> {
  const places = process.env["STET_TEST_CHROMIUM"] ? [process.env["STET_TEST_CHROMIUM"]] : PLACES;
  const executablePath = places.find(isExecutable);
  if (executablePath === undefined) {
    return { missing: `there is none at ${places.join(", ")}; install Chromium, or name it in STET_TEST_CHROMIUM` };
  }
  // The sandbox of the browser needs rights that a container rarely has; the pages are our own.
  const part = () => chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  return { part, origin: "found", detail: `at ${executablePath}` };
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
