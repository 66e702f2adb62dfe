import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * What the npm scripts call, with whatever Node the machine has (20 or newer): installs the packages that the command needs when
 * they are missing or the lockfile changed, then runs it on Node 24. Plain JavaScript without dependencies, because it runs before
 * there are any. Everything it says goes to stderr: stdout belongs to the command (`stet … --json`).
 */
const ROOT = path.resolve(import.meta.dirname, "..");
const STAMP = path.join(ROOT, "node_modules/.stet-install");
const CLI = "apps/server/src/main/cli.ts";

/**
 * Half the room for new objects that Node takes by default. No objects that are made old because many of their kind once lived
 * long: after one large page every later one would stay until the next full collection, with its bytes. And a malloc of the C
 * library that gives large blocks back when they are freed. The service is as fast with it and holds some 150 MB less after
 * reading much from its database.
 */
const NODE_OPTIONS = ["--max-semi-space-size=8", "--no-allocation-site-pretenuring"];
const MALLOC = { MALLOC_ARENA_MAX: "2", MALLOC_MMAP_THRESHOLD_: "65536" };

/** Commands that run the service do without the packages that only tests and checks need. */
const WITHOUT_DEV = ["start", "stet"];

/** @type {Record<string, (args: string[]) => string[]>} */
const COMMANDS = {
  start: (args) => [CLI, "serve", ...args],
  stet: (args) => [CLI, ...args],
  test: (args) => ["tools/test.ts", ...args],
  starter: (args) => ["tools/starter.ts", ...args],
  packages: (args) => ["tools/pack.ts", ...args],
  bench: ([name = "delivery", ...args]) => [`apps/server/bench/${name}.ts`, ...args],
};

const [name = "", ...args] = process.argv.slice(2);
const command = COMMANDS[name];
if (!command) {
  say(`Usage: node tools/run.mjs ${Object.keys(COMMANDS).join("|")}`);
  process.exit(2);
}
const failure = await installOnce();
if (failure !== 0) {
  say("The packages could not be installed: see npm's message above. Check the network, then run the command again.");
  process.exit(failure);
}
const [file = "", ...rest] = command(args);
if (!existsSync(path.join(ROOT, file))) {
  say(`There is no ${file}.`);
  process.exit(2);
}
runOnNode24([path.join(ROOT, file), ...rest]);

/** @param {string} message */
function say(message) {
  process.stderr.write(`${message}\n`);
}

/** What the installed packages depend on: the lockfile, and the machine that the native ones are for. */
function wantedPackages() {
  const lock = readFileSync(path.join(ROOT, "package-lock.json"));
  return `${createHash("sha256").update(lock).digest("hex")} ${process.platform} ${process.arch}`;
}

/**
 * @typedef {"run" | "all"} Kind `all` has the packages of tests and checks too.
 * @returns {Kind | null} What to install now, null when everything needed is there. What is complete stays so: a start never
 * removes the packages that somebody works with.
 */
function missingKind() {
  const [stamp, ...packages] = existsSync(STAMP) ? readFileSync(STAMP, "utf8").split(" ") : [];
  const isComplete = existsSync(path.join(ROOT, "node_modules/typescript"));
  const wanted = isComplete || !WITHOUT_DEV.includes(name) ? "all" : "run";
  return packages.join(" ") === wantedPackages() && (stamp === "all" || stamp === wanted) ? null : wanted;
}

/** @returns {Promise<number>} npm's exit code, 0 when there was nothing to do. */
async function installOnce() {
  if (missingKind() === null) return 0;
  const release = await takeInstallLock();
  try {
    // Another process may have installed them while this one waited.
    const kind = missingKind();
    if (kind === null) return 0;
    say("Installing packages (only when they changed; the first time takes a minute) …");
    const started = Date.now();
    const seconds = () => Math.round((Date.now() - started) / 1000);
    const code = await npmInstall(kind, () => say(`  … still installing (${seconds()} s)`));
    if (code !== 0) return code;
    writeFileSync(STAMP, `${kind} ${wantedPackages()}`);
    say(`Packages installed in ${seconds()} s.`);
    return 0;
  } finally {
    release();
  }
}

/**
 * `npm install`, not `npm ci`: a registry that lacks an optional binary of another system would make `npm ci` fail.
 * Only errors are shown: "unsupported engine" is no news, since Node 24 is among the packages.
 * @param {Kind} kind
 * @param {() => void} onWait
 * @returns {Promise<number>}
 */
function npmInstall(kind, onWait) {
  const dev = kind === "all" ? "--include=dev" : "--omit=dev";
  const options = ["install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error", dev, "--include=optional"];
  // npm tells its own place to scripts it runs; on its own, run.mjs finds it in PATH.
  const npm = process.env.npm_execpath;
  const stdio = /** @type {const} */ (["ignore", 2, 2]);
  const child = npm
    ? spawn(process.execPath, [npm, ...options], { cwd: ROOT, stdio: [...stdio] })
    : spawn("npm", options, { cwd: ROOT, stdio: [...stdio] });
  const timer = setInterval(onWait, 10_000);
  return new Promise((resolve) => {
    child.once("error", (error) => {
      clearInterval(timer);
      say(error.message);
      resolve(1);
    });
    child.once("close", (code) => {
      clearInterval(timer);
      resolve(code ?? 1);
    });
  });
}

/** Two npm installs in one folder destroy each other's work: the second command waits for the first. */
async function takeInstallLock() {
  const lock = path.join(ROOT, ".cache/installing");
  mkdirSync(path.dirname(lock), { recursive: true });
  for (let waits = 0; ; waits++) {
    try {
      const handle = openSync(lock, "wx");
      writeFileSync(handle, String(process.pid));
      closeSync(handle);
      return () => rmSync(lock, { force: true });
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    }
    // An empty file is one that was made this instant.
    const holder = Number(existsSync(lock) ? readFileSync(lock, "utf8") : "") || 0;
    if (holder > 0 && !isAlive(holder)) rmSync(lock, { force: true });
    else {
      if (waits === 2) say("Another command is installing the packages; waiting for it …");
      await sleep(500);
    }
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** The machine's own Node when it is new enough, else the one among the packages. */
function findNode24() {
  if (Number.parseInt(process.versions.node, 10) >= 24) return process.execPath;
  const packaged = path.join(ROOT, "node_modules/.bin/node");
  const tried = spawnSync(packaged, ["--version"], { encoding: "utf8" });
  if (tried.status === 0) return packaged;
  say(
    `Stet runs on Node 24 or newer; this is ${process.versions.node}, and there is no packaged one for ${process.platform}-${process.arch}.`,
  );
  say("Install Node 24 from https://nodejs.org, then run the command again.");
  process.exit(1);
}

/** @param {string[]} commandLine */
function runOnNode24(commandLine) {
  const child = spawn(findNode24(), [...NODE_OPTIONS, ...commandLine], {
    // The channel tells the service when we are gone, however that happened.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    // Keeps what Node compiled: halves the work of a later start.
    env: { NODE_COMPILE_CACHE: path.join(ROOT, ".cache/node"), ...MALLOC, ...process.env },
  });
  // The command decides when to end; we only pass on what we are told.
  const signals = /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]);
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  // When npm was killed, nobody would pass on anything any more.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.env.npm_lifecycle_event && process.ppid !== parent) child.kill("SIGTERM");
  }, 250);
  child.once("error", (error) => {
    say(error.message);
    clearInterval(watch);
    process.exitCode = 1;
  });
  child.once("exit", (code, signal) => {
    clearInterval(watch);
    if (signal === null) {
      process.exitCode = code ?? 1;
      return;
    }
    for (const passed of signals) process.removeAllListeners(passed);
    process.kill(process.pid, signal);
  });
}
