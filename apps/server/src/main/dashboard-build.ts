import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";

const ROOT = path.resolve(import.meta.dirname, "../../../..");
const VITE = path.join(ROOT, "node_modules/.bin/vite");
const STAMP = ".stet-build";
const SOURCES = [
  "apps/dashboard/{src,public}/**/*",
  "apps/dashboard/{index.html,vite.config.ts,package.json}",
  "packages/*/src/**/*",
  "package-lock.json",
];

/** Where the built dashboard lies. */
export const DASHBOARD_FOLDER = path.join(ROOT, "apps/dashboard/dist");

/**
 * Builds the dashboard when its sources are not those of the last build. Built beside the folder and moved there when it is
 * whole; of several processes one builds and the others wait. Throws when the build fails; what was built before stays.
 */
export async function buildDashboard(report: (message: string) => void, root = ROOT): Promise<void> {
  const app = path.join(root, "apps/dashboard");
  const dist = path.join(app, "dist");
  if (!existsSync(path.join(app, "index.html")) || isFresh(dist, hashSources(root))) return;
  const cache = path.join(root, ".cache");
  mkdirSync(cache, { recursive: true });
  const unlock = await lock(path.join(cache, "dashboard-build.lock"));
  const fresh = path.join(cache, `dashboard-${randomUUID()}`);
  try {
    const hash = hashSources(root);
    if (isFresh(dist, hash)) return;
    report("Building the dashboard …");
    const started = performance.now();
    await runVite(app, fresh);
    writeFileSync(path.join(fresh, STAMP), hash);
    await replace(dist, fresh);
    report(`Built the dashboard in ${((performance.now() - started) / 1000).toFixed(1)} s.`);
  } finally {
    await rm(fresh, { recursive: true, force: true });
    await unlock();
  }
}

function isFresh(dist: string, hash: string): boolean {
  try {
    return readFileSync(path.join(dist, STAMP), "utf8") === hash;
  } catch {
    return false;
  }
}

function hashSources(root: string): string {
  const hash = createHash("sha256");
  for (const name of globSync(SOURCES, { cwd: root }).toSorted()) {
    const file = path.join(root, name);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) hash.update(`${name}\0`).update(readFileSync(file)).update("\0");
  }
  return hash.digest("hex");
}

/** With this Node: the one in PATH may be older. */
function runVite(app: string, folder: string): Promise<void> {
  const child = spawn(process.execPath, [VITE, "build", "--logLevel", "warn", "--outDir", folder, "--emptyOutDir"], {
    cwd: app,
    env: { ...process.env, NODE_ENV: "production", NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) =>
      code === 0 ? resolve() : reject(new Error(`The dashboard could not be built:\n${output.trim().slice(0, 2_000)}`)),
    );
  });
}

async function replace(dist: string, fresh: string): Promise<void> {
  const old = `${fresh}-old`;
  if (existsSync(dist)) await rename(dist, old);
  await rename(fresh, dist);
  await rm(old, { recursive: true, force: true });
}

/** A file that one process only can make; it says which, so that what a dead one left is not waited for. */
async function lock(file: string): Promise<() => Promise<void>> {
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" });
      return () => rm(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    if (isAbandoned(file)) await rm(file, { force: true });
    await wait(100);
  }
}

function isAbandoned(file: string): boolean {
  try {
    process.kill(Number(readFileSync(file, "utf8")), 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
