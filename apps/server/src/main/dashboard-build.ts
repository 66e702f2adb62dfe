import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const ROOT = path.resolve(import.meta.dirname, "../../../..");
const APP = path.join(ROOT, "apps/dashboard");
const STAMP = ".stet-build";
const SOURCES = [
  "apps/dashboard/{src,public}/**/*",
  "apps/dashboard/{index.html,vite.config.ts,package.json}",
  "packages/contract/src/**/*",
  "package-lock.json",
];
/** A build that takes longer has died, or hangs. */
const LOCK_MILLIS = 3 * 60_000;

/** Where the built dashboard lies. */
export const DASHBOARD_FOLDER = path.join(APP, "dist");

/**
 * Builds the dashboard when its sources are not those of the last build. Built beside the folder and moved there when it is
 * whole; of several processes one builds and the others wait. Throws when the build fails; what was built before stays.
 */
export async function buildDashboard(report: (message: string) => void): Promise<void> {
  if (!existsSync(path.join(APP, "index.html")) || isFresh(hashSources())) return;
  const unlock = await lock();
  try {
    const hash = hashSources();
    if (isFresh(hash)) return;
    report("Building the dashboard …");
    const started = performance.now();
    const fresh = path.join(APP, `.dist-${randomUUID()}`);
    try {
      await runVite(fresh);
      writeFileSync(path.join(fresh, STAMP), hash);
      await replace(fresh);
    } finally {
      await rm(fresh, { recursive: true, force: true });
    }
    report(`Built the dashboard in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
  } finally {
    await unlock();
  }
}

function isFresh(hash: string): boolean {
  try {
    return readFileSync(path.join(DASHBOARD_FOLDER, STAMP), "utf8") === hash;
  } catch {
    return false;
  }
}

function hashSources(): string {
  const hash = createHash("sha256");
  for (const name of globSync(SOURCES, { cwd: ROOT }).toSorted()) {
    const file = path.join(ROOT, name);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) hash.update(`${name}\0`).update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

/** With this Node: the one in PATH may be older. */
function runVite(folder: string): Promise<void> {
  const vite = path.join(ROOT, "node_modules/.bin/vite");
  const child = spawn(process.execPath, [vite, "build", "--logLevel", "warn", "--outDir", folder, "--emptyOutDir"], {
    cwd: APP,
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`The dashboard could not be built:\n${output.trim().slice(-4_000)}`)),
    );
  });
}

async function replace(fresh: string): Promise<void> {
  const old = path.join(APP, `.dist-${randomUUID()}`);
  if (existsSync(DASHBOARD_FOLDER)) await rename(DASHBOARD_FOLDER, old);
  await rename(fresh, DASHBOARD_FOLDER);
  await rm(old, { recursive: true, force: true });
}

/** A folder is made by one process only. One that is too old was left by a process that died. */
async function lock(): Promise<() => Promise<void>> {
  const folder = path.join(APP, ".dist-lock");
  for (;;) {
    try {
      mkdirSync(folder);
      return () => rm(folder, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
    if (made !== undefined && Date.now() - made > LOCK_MILLIS) await rm(folder, { recursive: true, force: true });
    await wait(200);
  }
}
